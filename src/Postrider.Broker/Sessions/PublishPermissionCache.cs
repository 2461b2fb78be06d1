using Postrider.Broker.Accounts;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Sessions;

/// <summary>Caches which subjects a client may publish to. Only used by the client's own thread.</summary>
internal sealed class PublishPermissionCache(SubjectPermissionSet rules)
{
    private const int MaxRemembered = 1024;

    private readonly Dictionary<byte[], bool> _known = new(ByteKeyComparer.Instance);

    /// <summary>Whether the rules allow a subject.</summary>
    public bool Allows(ReadOnlySpan<byte> subject)
    {
        var lookup = _known.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (lookup.TryGetValue(subject, out var known)) return known;
        if (_known.Count >= MaxRemembered) _known.Clear();
        var allowed = rules.AllowsPublish(subject);
        lookup[subject] = allowed;
        return allowed;
    }
}
