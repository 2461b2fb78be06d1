using Postrider.Serialization;

namespace Postrider;

// A protocol term: a block of headers is called headers.
#pragma warning disable CA1710
/// <summary>Headers of an envelope: names with one or more values, in the order they were added.</summary>
/// <remarks>Names are compared case-insensitively, so that every transport can carry them. Not thread-safe while it is modified.</remarks>
public sealed class Headers : HeaderCollection
{
    /// <inheritdoc/>
    protected override StringComparison NameComparison => StringComparison.OrdinalIgnoreCase;

    internal void Reset() => Clear();

    /// <summary>Throws if a name or a value would be read as another header on the wire.</summary>
    /// <param name="name">The name: not empty, no colon, no line break.</param>
    /// <param name="value">The value: no line break.</param>
    /// <exception cref="ArgumentException">The name or the value contains a line break, or the name a colon.</exception>
    protected override void Validate(string name, string value)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (name.AsSpan().ContainsAny(":\r\n"))
            throw new ArgumentException($"Header name '{name}' contains a colon or a line break.", nameof(name));
        if (value.AsSpan().ContainsAny("\r\n"))
            throw new ArgumentException($"The value of header '{name}' contains a line break.", nameof(value));
    }
}
