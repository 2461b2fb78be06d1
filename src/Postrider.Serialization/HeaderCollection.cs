using System.Collections;

namespace Postrider.Serialization;

/// <summary>Headers of a message: names with one or more values, in the order they were added.</summary>
/// <remarks>The one implementation of the headers of envelopes, of NATS messages and of calls. Their protocols differ in three things,
/// which are all that a derived type defines: whether names are case-sensitive, whether a name may have several values, and which names
/// and values are valid. Stored as a list, because messages have only a few headers. Not thread-safe while it is modified.</remarks>
public abstract class HeaderCollection : IReadOnlyCollection<KeyValuePair<string, string>>
{
    private List<KeyValuePair<string, string>>? _pairs;

    /// <summary>The number of name and value pairs.</summary>
    public int Count => Pairs.Count;

    /// <summary>How names are compared.</summary>
    protected abstract StringComparison NameComparison { get; }

    /// <summary>Whether a name has at most one value, so that <see cref="Add"/> replaces it.</summary>
    protected virtual bool IsSingleValued => false;

    private List<KeyValuePair<string, string>> Pairs => _pairs ??= Load();

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
                Pairs.Add(new(name, value));
                return;
            }

            RemoveFrom(at + 1, name);
            Pairs[at] = new(name, value);
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
        Pairs.Add(new(name, value));
    }

    /// <summary>Gets all values of a name, in order.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The values; empty if there are none.</returns>
    public IReadOnlyList<string> GetValues(string name)
        => [.. Pairs.Where(pair => string.Equals(pair.Key, name, NameComparison)).Select(static pair => pair.Value)];

    /// <summary>Removes all values of a name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>Whether there was one.</returns>
    public bool Remove(string name) => RemoveFrom(0, name);

    /// <summary>Enumerates the names and values in their order, without allocating.</summary>
    /// <returns>The enumerator; it ends with an exception when the headers were modified.</returns>
    public List<KeyValuePair<string, string>>.Enumerator GetEnumerator() => Pairs.GetEnumerator();

    IEnumerator<KeyValuePair<string, string>> IEnumerable<KeyValuePair<string, string>>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Removes all headers.</summary>
    protected void Clear() => _pairs?.Clear();

    /// <summary>Throws if the protocol does not allow a name or a value.</summary>
    /// <param name="name">The name; not null.</param>
    /// <param name="value">The value; not null.</param>
    protected abstract void Validate(string name, string value);

    /// <summary>Reads received headers, on first access.</summary>
    /// <returns>A list that the collection owns; empty unless the type keeps headers in another form.</returns>
    protected virtual List<KeyValuePair<string, string>> Load() => [];

    private int IndexOf(string name)
    {
        var comparison = NameComparison;
        var pairs = Pairs;
        for (var i = 0; i < pairs.Count; i++)
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
        var count = pairs.Count;
        for (var i = count - 1; i >= start; i--)
        {
            if (string.Equals(pairs[i].Key, name, comparison))
                pairs.RemoveAt(i);
        }

        return pairs.Count < count;
    }
}
