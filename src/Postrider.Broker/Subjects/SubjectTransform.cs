using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Subjects;

/// <summary>Transforms a subject: inserts the tokens that a pattern's wildcards matched into a template.</summary>
/// <remarks>Thread-safe. Source: NATS subject mapping and transforms.</remarks>
internal sealed class SubjectTransform
{
    private readonly byte[] _sourceBytes;
    private readonly string[] _source;
    private readonly TransformToken[] _template;

    private SubjectTransform(string source, string[] sourceTokens, string destination, TransformToken[] template)
    {
        Source = source;
        Destination = destination;
        _sourceBytes = Encoding.UTF8.GetBytes(source);
        _source = sourceTokens;
        _template = [.. template.Select(static token => token.ForBytes())];
    }

    /// <summary>The pattern.</summary>
    public string Source { get; }

    /// <summary>The template.</summary>
    public string Destination { get; }

    /// <summary>Creates a transform that is known to be valid.</summary>
    /// <returns>Null for an empty destination, which changes nothing.</returns>
    /// <exception cref="ArgumentException">The transform is invalid.</exception>
    public static SubjectTransform? Create(string source, string destination)
    {
        if (destination.Length == 0) return null;
        return TryCreate(source, destination, out var transform, out var problem) ? transform : throw new ArgumentException(problem, nameof(destination));
    }

    /// <summary>Creates a transform.</summary>
    /// <param name="source">A pattern; empty for everything.</param>
    /// <param name="destination">Tokens, <c>$1</c>, <c>{{wildcard(1)}}</c> and the other functions; <c>&gt;</c> when the pattern has it.</param>
    /// <param name="transform">The transform.</param>
    /// <param name="problem">The problem, in nats-server's words.</param>
    public static bool TryCreate(
        string source, string destination, [NotNullWhen(true)] out SubjectTransform? transform, [NotNullWhen(false)] out string? problem)
        => TryCreate(source, destination, isReversible: false, out transform, out problem);

    /// <summary>Creates a transform that can be reversed: its only functions are wildcards, and it uses all of them.</summary>
    public static bool TryCreateReversible(
        string source, string destination, [NotNullWhen(true)] out SubjectTransform? transform, [NotNullWhen(false)] out string? problem)
        => TryCreate(source, destination, isReversible: true, out transform, out problem);

    /// <summary>The transform in the opposite direction.</summary>
    /// <returns>Null when there is none. As in nats-server, wildcards are inserted in the order of the template, which is only the inverse
    /// if at most two of them change places.</returns>
    public SubjectTransform? Reverse()
    {
        var placeholders = new Queue<string>(Destination.Split('.').Where(TransformToken.IsPlaceholder));
        var destination = string.Join('.', _source.Select(token => token == "*" && placeholders.TryDequeue(out var placeholder) ? placeholder : token));
        return TryCreateReversible(TransformToken.WithWildcards(Destination), destination, out var reverse, out _) ? reverse : null;
    }

    /// <summary>Transforms a subject.</summary>
    /// <param name="subject">A literal subject.</param>
    /// <returns>The new subject; null when the pattern does not match.</returns>
    public byte[]? Apply(ReadOnlySpan<byte> subject)
    {
        if (!Subject.Matches(subject, _sourceBytes)) return null;
        if (Source == ">" && Destination == ">") return subject.ToArray();
        // One character stands for one byte: subjects need not be UTF-8.
        var tokens = Encoding.Latin1.GetString(subject).Split('.');
        var result = new StringBuilder();
        for (var i = 0; i < _template.Length; i++)
        {
            if (_template[i].IsTail)
            {
                result.AppendJoin('.', tokens.Skip(_source.Length - 1));
                break;
            }
            _template[i].Write(result, tokens);
            if (i < _template.Length - 1) result.Append('.');
        }
        return Encoding.Latin1.GetBytes(result.ToString());
    }

    private static bool TryCreate(
        string source, string destination, bool isReversible, [NotNullWhen(true)] out SubjectTransform? transform, [NotNullWhen(false)] out string? problem)
    {
        transform = null;
        if (source.Length == 0) source = ">";
        var sourceTokens = source.Split('.');
        var tokens = destination.Split('.');
        if (!IsSubject(sourceTokens) || !IsSubject(tokens) || tokens.Contains("*") || (sourceTokens[^1] == ">") != (tokens[^1] == ">"))
        {
            problem = "invalid subject";
            return false;
        }
        if (!Array.TrueForAll(tokens, TransformToken.IsValid))
        {
            problem = "invalid mapping destination: invalid transform";
            return false;
        }
        var wildcards = new List<int>();
        for (var i = 0; i < sourceTokens.Length; i++)
            if (sourceTokens[i] == "*") wildcards.Add(i);
        var template = new TransformToken[tokens.Length];
        var used = 0;
        for (var i = 0; i < tokens.Length; i++)
        {
            if (!TransformToken.TryParse(tokens[i], out var token, out problem)) return false;
            if (isReversible && !token.IsReversible)
            {
                problem = $"invalid mapping destination: the only mapping function allowed for import transforms is {{{{Wildcard()}}}} in {tokens[i]}";
                return false;
            }
            if (token.NeedsWildcards) used++;
            if (wildcards.Count == 0 && sourceTokens[^1] != ">" && token.NeedsWildcards)
            {
                problem = $"invalid mapping destination: wildcard index out of range in {tokens[i]}";
                return false;
            }
            if (!token.TryBind(wildcards, out var bound, out problem)) return false;
            template[i] = bound;
        }
        if (isReversible && used < wildcards.Count)
        {
            problem = $"invalid mapping destination: not using all of the token wildcard(s) in {destination}";
            return false;
        }
        transform = new SubjectTransform(source, sourceTokens, destination, template);
        problem = null;
        return true;
    }

    private static bool IsSubject(string[] tokens)
    {
        for (var i = 0; i < tokens.Length; i++)
            if (tokens[i].Length == 0 || (tokens[i] == ">" && i < tokens.Length - 1)) return false;
        return true;
    }
}
