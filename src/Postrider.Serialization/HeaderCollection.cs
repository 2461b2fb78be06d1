using System.Collections;

namespace Postrider.Serialization;

/// <summary>Headers of a message: names with one or more values, in the order they were added.</summary>
/// <remarks>The one implementation of the headers of envelopes, of NATS messages and of calls. Their protocols differ in three things,
/// which are all that a derived type defines: whether names are case-sensitive, whether a name may have several values, and which names
/// and values are valid. Stored in their order, because messages have only a few headers. Not thread-safe while it is modified.</remarks>
public abstract class HeaderCollection : IReadOnlyCollection<KeyValuePair<string, string>>
{
    private KeyValuePair<string, string>[]? _pairs;
    private int _count;
    private int _version;

    /// <summary>The number of name and value pairs.</summary>
    public int Count => Pairs.Length;

    /// <summary>How names are compared.</summary>
    protected abstract StringComparison NameComparison { get; }

    /// <summary>Whether a name has at most one value, so that <see cref="Add"/> replaces it.</summary>
    protected virtual bool IsSingleValued => false;

    internal int Version => _version;

    private Span<KeyValuePair<string, string>> Pairs
    {
        get
        {
            if (Volatile.Read(ref _pairs) is { } pairs)
                return pairs.AsSpan(0, _count);
            pairs = Load();
            // Last, because several threads may read.
            _count = pairs.Length;
            Volatile.Write(ref _pairs, pairs);
            return pairs;
        }
    }

    /// <summary>The first value of a name, or null. Setting it replaces all values of the name; null removes them.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="Exception">The protocol does not allow the name or the value; the derived type names the exception.</exception>
    public string? this[string name]
    {
        get => IndexOf(name) is >= 0 and var at ? Pairs[at].Value : null;
        set
        {
            if (value is null)
            {
                Remove(name);
                return;
            }

            Validate(name, value);
            var at = IndexOf(name);
            if (at < 0)
            {
                Append(name, value);
                return;
            }

            RemoveFrom(at + 1, name);
            _pairs![at] = new(name, value);
            _version++;
        }
    }

    /// <summary>Adds a value and keeps the existing values of the name; if a name has only one value, replaces it.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="Exception">The protocol does not allow the name or the value; the derived type names the exception.</exception>
    public void Add(string name, string value)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(value);
        if (IsSingleValued)
        {
            this[name] = value;
            return;
        }

        Validate(name, value);
        Append(name, value);
    }

    /// <summary>Gets all values of a name, in order.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The values; empty if there are none.</returns>
    public IReadOnlyList<string> GetValues(string name)
        => [.. this.Where(pair => string.Equals(pair.Key, name, NameComparison)).Select(static pair => pair.Value)];

    /// <summary>Removes all values of a name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>Whether there was one.</returns>
    public bool Remove(string name) => RemoveFrom(0, name);

    /// <summary>Enumerates the names and values in their order, without allocating.</summary>
    /// <returns>The enumerator; it ends with an exception when the headers were modified.</returns>
    public HeaderEnumerator GetEnumerator()
    {
        var count = Pairs.Length;
        return new(this, _pairs!, count);
    }

    IEnumerator<KeyValuePair<string, string>> IEnumerable<KeyValuePair<string, string>>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Removes all headers.</summary>
    protected void Clear()
    {
        Pairs.Clear();
        _count = 0;
        _version++;
    }

    /// <summary>Throws if the protocol does not allow a name or a value.</summary>
    /// <param name="name">The name; not null.</param>
    /// <param name="value">The value; not null.</param>
    protected abstract void Validate(string name, string value);

    /// <summary>Reads received headers, on first access.</summary>
    /// <returns>An array that the collection owns from then on; empty unless the type keeps headers in another form.</returns>
    protected virtual KeyValuePair<string, string>[] Load() => [];

    private void Append(string name, string value)
    {
        var count = Pairs.Length;
        if (count == _pairs!.Length)
            Array.Resize(ref _pairs, Math.Max(4, 2 * count));
        _pairs[count] = new(name, value);
        _count = count + 1;
        _version++;
    }

    private int IndexOf(string name)
    {
        var comparison = NameComparison;
        var pairs = Pairs;
        for (var i = 0; i < pairs.Length; i++)
        {
            if (string.Equals(pairs[i].Key, name, comparison))
                return i;
        }

        return -1;
    }

    private bool RemoveFrom(int start, string name)
    {
        var comparison = NameComparison;
        var pairs = Pairs;
        var kept = start;
        for (var i = start; i < pairs.Length; i++)
        {
            if (!string.Equals(pairs[i].Key, name, comparison))
                pairs[kept++] = pairs[i];
        }

        if (kept >= pairs.Length)
            return false;
        pairs[kept..].Clear();
        _count = kept;
        _version++;
        return true;
    }
}
