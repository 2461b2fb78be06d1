using System.Collections;

namespace Postrider;

// A protocol's word: a header block is called headers.
#pragma warning disable CA1710
/// <summary>Headers of a message: names with one or more values, in the order they were added.</summary>
/// <remarks>Names compare without regard to case. A list and not a dictionary: messages carry a handful. Not thread-safe
/// while it is written.</remarks>
public sealed class Headers : IReadOnlyCollection<KeyValuePair<string, string>>
{
    private readonly List<KeyValuePair<string, string>> _items = [];

    /// <summary>The number of name and value pairs.</summary>
    public int Count => _items.Count;

    /// <summary>The first value of a name, or null; setting replaces all values, null removes them.</summary>
    /// <param name="name">The name.</param>
    public string? this[string name]
    {
        get
        {
            foreach (var (key, value) in _items)
            {
                if (string.Equals(key, name, StringComparison.OrdinalIgnoreCase))
                    return value;
            }

            return null;
        }

        set
        {
            _items.RemoveAll(item => string.Equals(item.Key, name, StringComparison.OrdinalIgnoreCase));
            if (value is not null)
                Add(name, value);
        }
    }

    /// <summary>Adds a value and keeps those the name has.</summary>
    /// <param name="name">The name: not empty, no colon, no line break.</param>
    /// <param name="value">The value: no line break.</param>
    /// <exception cref="ArgumentException">A line break or a colon would change the meaning of the bytes on a wire.</exception>
    public void Add(string name, string value)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(value);
        if (name.AsSpan().ContainsAny(":\r\n"))
            throw new ArgumentException($"Header name '{name}' contains a colon or a line break.", nameof(name));
        if (value.AsSpan().ContainsAny("\r\n"))
            throw new ArgumentException($"The value of header '{name}' contains a line break.", nameof(value));
        _items.Add(new(name, value));
    }

    /// <summary>All values of a name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The values in order; empty when there is none.</returns>
    public IEnumerable<string> GetValues(string name)
        => _items.Where(item => string.Equals(item.Key, name, StringComparison.OrdinalIgnoreCase)).Select(item => item.Value);

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => _items.GetEnumerator();

    /// <inheritdoc/>
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal void Clear() => _items.Clear();
}
