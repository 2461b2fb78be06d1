using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>One direction of a user's permissions: what is allowed, and the exceptions that are denied.</summary>
/// <remarks>
/// <para>An entry is a subject or pattern; for subscribing it may be followed by a space and a queue group or pattern of groups:
/// <c>foo v1.*</c>.</para>
/// <para>The tokens of a published subject are plain text, as they are for the router: <c>a.&gt;</c> reaches subscribers of <c>a.*</c>,
/// therefore the entry <c>a.*</c> covers it. A denied pattern covers a subscription by the same comparison; an allowed pattern only
/// covers a subscription that cannot receive more than the pattern names.</para>
/// </remarks>
internal sealed class SubjectPermissionSet
{
    private readonly Rule[]? _allow;
    private readonly Rule[] _deny;

    private SubjectPermissionSet(Rule[]? allow, Rule[] deny)
    {
        _allow = allow;
        _deny = deny;
    }

    /// <summary>Whether there is a list of denied subjects.</summary>
    public bool HasDenied => _deny.Length > 0;

    /// <summary>Creates the rules for publishing.</summary>
    /// <param name="options">The direction's options, or null.</param>
    /// <param name="nothingUnlessAllowed">Whether a missing list of allowed subjects allows none.</param>
    /// <returns>Null when everything is allowed.</returns>
    public static SubjectPermissionSet? ForPublish(SubjectPermission? options, bool nothingUnlessAllowed)
        => Create(options, options?.Allow ?? (nothingUnlessAllowed ? [] : null));

    /// <summary>Creates the rules for subscribing, where an empty list of allowed subjects allows all.</summary>
    /// <param name="options">The direction's options, or null.</param>
    /// <returns>Null when everything is allowed.</returns>
    public static SubjectPermissionSet? ForSubscribe(SubjectPermission? options)
        => Create(options, options?.Allow is { Count: > 0 } allow ? allow : null);

    /// <summary>Whether a subject may be published to.</summary>
    public bool AllowsPublish(ReadOnlySpan<byte> subject)
        => (_allow is null || AnyPlain(_allow, subject)) && !AnyPlain(_deny, subject);

    /// <summary>Whether an entry covers a subject whose tokens are taken as plain text, even if they are wildcards.</summary>
    /// <returns>False for every subject with an empty token, which no subscription matches.</returns>
    internal static bool Covers(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> subject)
    {
        if (HasEmptyToken(subject)) return false;
        while (true)
        {
            if (pattern is [(byte)'>']) return true;
            var patternEnd = pattern.IndexOf((byte)'.');
            var subjectEnd = subject.IndexOf((byte)'.');
            var patternToken = patternEnd < 0 ? pattern : pattern[..patternEnd];
            var subjectToken = subjectEnd < 0 ? subject : subject[..subjectEnd];
            if (patternToken is not [(byte)'*'] && (patternToken is [(byte)'>'] || !patternToken.SequenceEqual(subjectToken))) return false;
            if (patternEnd < 0 || subjectEnd < 0) return patternEnd < 0 && subjectEnd < 0;
            pattern = pattern[(patternEnd + 1)..];
            subject = subject[(subjectEnd + 1)..];
        }
    }

    /// <summary>Whether a subject or pattern may be subscribed to.</summary>
    /// <param name="subject">The subject or pattern.</param>
    /// <param name="queueGroup">The queue group, or nothing.</param>
    public bool AllowsSubscribe(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    {
        var allowed = true;
        if (_allow is not null)
        {
            if (HasEmptyToken(subject)) return false;
            var (plain, queued) = Containing(_allow, subject, queueGroup);
            allowed = queueGroup.IsEmpty ? plain : queued ?? plain;
        }
        return allowed && !DeniesDelivery(subject, queueGroup);
    }

    /// <summary>Whether a message on a subject must not reach a subscription that covers it.</summary>
    public bool DeniesDelivery(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
        => AnyPlain(_deny, subject) || (!queueGroup.IsEmpty && AnyQueueOf(_deny, subject, queueGroup));

    /// <summary>Whether a subscription covers some denied subject, so that each delivery must be checked.</summary>
    public bool DeniesSomeOf(ReadOnlySpan<byte> subject)
    {
        foreach (var rule in _deny)
            if (Subject.Collide(rule.Subject, subject)) return true;
        return false;
    }

    private static SubjectPermissionSet? Create(SubjectPermission? options, IReadOnlyList<string>? allowed)
    {
        var allow = allowed is null ? null : Read(allowed);
        var deny = options?.Deny is { } denied ? Read(denied) : [];
        return allow is null && deny.Length == 0 ? null : new SubjectPermissionSet(allow, deny);
    }

    private static bool HasEmptyToken(ReadOnlySpan<byte> subject)
        => subject.IsEmpty || subject[0] == '.' || subject[^1] == '.' || subject.IndexOf(".."u8) >= 0;

    private static bool AnyPlain(Rule[] rules, ReadOnlySpan<byte> subject)
    {
        foreach (var rule in rules)
            if (rule.QueueGroup.Length == 0 && rule.MayCover(subject) && Covers(rule.Subject, subject)) return true;
        return false;
    }

    private static bool AnyQueueOf(Rule[] rules, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    {
        foreach (var rule in rules)
        {
            if (rule.QueueGroup.Length > 0 && rule.MayCover(subject) && Covers(rule.Subject, subject) && Subject.Matches(queueGroup, rule.QueueGroup)) return true;
        }
        return false;
    }

    // Which entries name everything that a subscription can receive: any entry without a queue group, and whether the entries with one
    // name this group (null when there are none).
    private static (bool Plain, bool? Queued) Containing(Rule[] rules, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup)
    {
        var plain = false;
        bool? queued = null;
        foreach (var rule in rules)
        {
            if (!Subject.Matches(subject, rule.Subject)) continue;
            if (rule.QueueGroup.Length == 0) plain = true;
            else queued = queued == true || Subject.Matches(queueGroup, rule.QueueGroup);
        }
        return (plain, queued);
    }

    private static Rule[] Read(IReadOnlyList<string> entries)
    {
        var rules = new Rule[entries.Count];
        for (var i = 0; i < rules.Length; i++)
        {
            var parts = entries[i].Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
            rules[i] = new Rule(Encoding.UTF8.GetBytes(parts[0]), parts.Length > 1 ? Encoding.UTF8.GetBytes(parts[1]) : []);
        }
        return rules;
    }

    private readonly struct Rule
    {
        private readonly int _begin;
        private readonly int _end;

        public Rule(byte[] subject, byte[] queueGroup)
        {
            Subject = subject;
            QueueGroup = queueGroup;
            _begin = Begin(subject);
            _end = End(subject);
        }

        public byte[] Subject { get; }

        public byte[] QueueGroup { get; }

        /// <summary>A fast necessary condition: compares the text before the pattern's first wildcard and after its last one.</summary>
        public bool MayCover(ReadOnlySpan<byte> subject)
            => subject.StartsWith(Subject.AsSpan(0, _begin)) && subject.EndsWith(Subject.AsSpan(_end));

        // The length of the text before the first wildcard token.
        private static int Begin(ReadOnlySpan<byte> pattern)
        {
            for (var at = 0; ;)
            {
                var rest = pattern[at..];
                var dot = rest.IndexOf((byte)'.');
                if (IsWildcard(dot < 0 ? rest : rest[..dot])) return at;
                if (dot < 0) return pattern.Length;
                at += dot + 1;
            }
        }

        // The position after the last wildcard token.
        private static int End(ReadOnlySpan<byte> pattern)
        {
            for (var at = pattern.Length; ;)
            {
                var dot = pattern[..at].LastIndexOf((byte)'.');
                if (IsWildcard(pattern[(dot + 1)..at])) return at;
                if (dot < 0) return 0;
                at = dot;
            }
        }

        private static bool IsWildcard(ReadOnlySpan<byte> token) => token is [(byte)'*'] or [(byte)'>'];
    }
}
