using System.Collections;

namespace Postrider.Serialization;

/// <summary>Enumerates the names and values of a <see cref="HeaderCollection"/> in their order, without allocating.</summary>
public struct HeaderEnumerator : IEnumerator<KeyValuePair<string, string>>
{
    private readonly HeaderCollection _headers;
    private readonly KeyValuePair<string, string>[] _pairs;
    private readonly int _count;
    private readonly int _version;
    private int _next;

    internal HeaderEnumerator(HeaderCollection headers, KeyValuePair<string, string>[] pairs, int count)
        => (_headers, _pairs, _count, _version) = (headers, pairs, count, headers.Version);

    /// <summary>The name and the value at which <see cref="MoveNext"/> arrived.</summary>
    public KeyValuePair<string, string> Current { get; private set; }

    readonly object IEnumerator.Current => Current;

    /// <summary>Goes on to the next name and value.</summary>
    /// <returns>False after the last one.</returns>
    /// <exception cref="InvalidOperationException">The headers were modified since the enumeration began.</exception>
    public bool MoveNext()
    {
        if (_headers.Version != _version)
            throw new InvalidOperationException("The headers were modified while they were enumerated.");
        if (_next >= _count)
        {
            Current = default;
            return false;
        }

        Current = _pairs[_next++];
        return true;
    }

    /// <summary>Begins again.</summary>
    public void Reset() => (_next, Current) = (0, default);

    /// <summary>Does nothing.</summary>
    public readonly void Dispose()
    {
    }
}
