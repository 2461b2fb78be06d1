using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>One direction of the permissions of a leaf node connection: what is allowed, and the exceptions that are denied. Immutable.</summary>
/// <remarks>Entries for queue groups only apply to clients and are left out. Source: nats-server, permissions of leaf nodes.</remarks>
internal sealed class LeafSubjects
{
    /// <summary>Allows everything.</summary>
    public static readonly LeafSubjects Everything = new(null, []);

    private readonly byte[][]? _allow;
    private readonly byte[][] _deny;

    private LeafSubjects(byte[][]? allow, byte[][] deny) => (_allow, _deny) = (allow, deny);

    /// <summary>Reads one direction.</summary>
    /// <param name="allow">The allowed subjects; null allows all.</param>
    /// <param name="deny">The denied subjects; null denies none.</param>
    public static LeafSubjects Create(IEnumerable<string>? allow, IEnumerable<string>? deny)
    {
        var (allowed, denied) = (allow is null ? null : Read(allow), Read(deny ?? []));
        return allowed is null && denied.Length == 0 ? Everything : new LeafSubjects(allowed, denied);
    }

    /// <summary>The same, with further denied subjects.</summary>
    public LeafSubjects Deny(IEnumerable<string> subjects)
    {
        var added = Read(subjects);
        return added.Length == 0 ? this : new LeafSubjects(_allow, [.. _deny, .. added]);
    }

    /// <summary>Whether a message on a subject may cross.</summary>
    public bool AllowsMessage(ReadOnlySpan<byte> subject)
    {
        if (ReferenceEquals(this, Everything)) return true;
        return (_allow is null || AnyCovers(_allow, subject)) && !AnyCovers(_deny, subject);
    }

    /// <summary>Whether interest in a subject or pattern may be announced: some of it is allowed, and not all of it is denied.</summary>
    public bool AllowsInterest(ReadOnlySpan<byte> subject)
    {
        if (ReferenceEquals(this, Everything)) return true;
        if (AnyCovers(_deny, subject)) return false;
        if (_allow is null || AnyCovers(_allow, subject)) return true;
        if (!Subject.HasWildcard(subject)) return false;
        foreach (var entry in _allow)
            if (Subject.Collide(entry, subject)) return true;
        return false;
    }

    private static bool AnyCovers(byte[][] entries, ReadOnlySpan<byte> subject)
    {
        foreach (var entry in entries)
            if (SubjectPermissionSet.Covers(entry, subject)) return true;
        return false;
    }

    // The other server's subjects are not validated; an invalid one covers nothing.
    private static byte[][] Read(IEnumerable<string?> entries)
        => [.. entries.Select(static entry => (entry ?? "").Trim()).Where(static entry => entry.Length > 0 && !entry.AsSpan().ContainsAny(' ', '\t')).Select(Encoding.UTF8.GetBytes)];
}
