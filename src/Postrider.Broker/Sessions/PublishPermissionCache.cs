using Postrider.Broker.Accounts;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Sessions;

/// <summary>Caches which subjects a client may publish to. Only used by the client's own thread.</summary>
internal sealed class PublishPermissionCache(SubjectPermissionSet rules)
{
    private const int MaxRemembered = 1024;

    // Longer subjects are always looked up in the table.
    private const int MaxLastBytes = 64;

    // Longer subjects are always checked: a client could have the cache hold megabytes.
    private const int MaxRememberedBytes = 256;

    private readonly byte[] _last = new byte[MaxLastBytes];
    private int _lastLength = -1;
    private bool _isLastAllowed;

    private readonly Dictionary<byte[], bool> _known = new(ByteKeyComparer.Instance);

    /// <summary>Whether the rules allow a subject.</summary>
    public bool Allows(ReadOnlySpan<byte> subject)
    {
        if (subject.Length == _lastLength && subject.SequenceEqual(_last.AsSpan(0, _lastLength))) return _isLastAllowed;
        var allowed = LookUp(subject);
        _lastLength = -1;
        if (!subject.TryCopyTo(_last)) return allowed;
        _lastLength = subject.Length;
        return _isLastAllowed = allowed;
    }

    private bool LookUp(ReadOnlySpan<byte> subject)
    {
        if (subject.Length > MaxRememberedBytes) return rules.AllowsPublish(subject);
        var lookup = _known.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (lookup.TryGetValue(subject, out var known)) return known;
        if (_known.Count >= MaxRemembered) _known.Clear();
        var allowed = rules.AllowsPublish(subject);
        lookup[subject] = allowed;
        return allowed;
    }
}
