using System.Collections;

namespace Postrider;

// A protocol's word: a header block is called headers.
#pragma warning disable CA1710
/// <summary>Headers of a message: names with one or more values, in the order they were added.</summary>
/// <remarks>Names are compared case-insensitively. Stored as a list, because messages have only a few headers. Not thread-safe while it
/// is modified.</remarks>
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

    /// <summary>Adds a value and keeps the existing values of the name.</summary>
    /// <param name="name">The name: not empty, no colon, no line break.</param>
    /// <param name="value">The value: no line break.</param>
    /// <exception cref="ArgumentException">The name or the value contains a line break, or the name a colon.</exception>
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
    /// <returns>The values in order; empty if there are none.</returns>
    public IEnumerable<string> GetValues(string name)
        => _items.Where(item => string.Equals(item.Key, name, StringComparison.OrdinalIgnoreCase)).Select(item => item.Value);

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => _items.GetEnumerator();

    /// <inheritdoc/>
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal void Clear() => _items.Clear();
}
