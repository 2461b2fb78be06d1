using System.Buffers;
using System.Collections;

namespace Postrider.Rpc;

/// <summary>Headers of a message: names and values that every transport can carry.</summary>
/// <remarks>Names consist of letters, digits, '-', '_' and '.' and are case-insensitive; values consist of printable ASCII characters, so
/// encode anything else. Not thread-safe.</remarks>
public sealed class RpcHeaders : IEnumerable<KeyValuePair<string, string>>
{
    private static readonly SearchValues<char> s_name = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");

    private readonly List<KeyValuePair<string, string>> _items = [];

    /// <summary>The number of headers.</summary>
    public int Count => _items.Count;

    /// <summary>The value of a header; null if it is missing. Setting null removes it.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="ArgumentException">The name or the value contains invalid characters.</exception>
    public string? this[string name]
    {
        get => IndexOf(name) is >= 0 and var at ? _items[at].Value : null;
        set
        {
            var at = IndexOf(name);
            if (value is null)
            {
                if (at >= 0)
                    _items.RemoveAt(at);
                return;
            }

            if (!IsName(name))
                throw new ArgumentException($"Header name '{name}' may only contain letters, digits, '-', '_' and '.'.", nameof(name));
            if (!IsValue(value))
                throw new ArgumentException($"The value of header '{name}' may only contain printable ASCII characters.", nameof(value));
            if (at >= 0)
                _items[at] = new(name, value);
            else
                _items.Add(new(name, value));
        }
    }

    /// <summary>Adds a header, or replaces an existing one.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    public void Add(string name, string value) => this[name] = value;

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => _items.GetEnumerator();

    /// <summary>Whether a text is a valid header name.</summary>
    /// <param name="name">The text.</param>
    /// <returns>True if every transport supports it.</returns>
    public static bool IsName(ReadOnlySpan<char> name) => name.Length is > 0 and <= byte.MaxValue && !name.ContainsAnyExcept(s_name);

    /// <summary>Whether a text is a valid header value.</summary>
    /// <param name="value">The text.</param>
    /// <returns>True if every transport supports it.</returns>
    public static bool IsValue(ReadOnlySpan<char> value) => value.Length <= ushort.MaxValue && !value.ContainsAnyExceptInRange(' ', '~');

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private int IndexOf(string name)
    {
        for (var i = 0; i < _items.Count; i++)
        {
            if (string.Equals(_items[i].Key, name, StringComparison.OrdinalIgnoreCase))
                return i;
        }

        return -1;
    }
}
