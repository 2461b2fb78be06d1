using Postrider.Serialization;

namespace Postrider;

// A protocol term: a block of headers is called headers.
#pragma warning disable CA1710
/// <summary>Headers of an envelope: names with one or more values, in the order they were added.</summary>
/// <remarks>Names are compared case-insensitively, so that every transport can carry them. Not thread-safe while it is modified.</remarks>
public sealed class Headers : HeaderCollection
{
    // The names that Postrider reads, now or later.
    private const string Prefix = "Postrider-";

    private static readonly string[] s_written = ["Content-Type", "traceparent", "tracestate"];

    /// <inheritdoc/>
    protected override StringComparison NameComparison => StringComparison.OrdinalIgnoreCase;

    internal void Reset() => Clear();

    /// <summary>Why headers cannot be added.</summary>
    /// <returns>Null if they can.</returns>
    internal string? ReservedProblem()
    {
        foreach (var (name, _) in this)
        {
            if (name.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) || s_written.Contains(name, StringComparer.OrdinalIgnoreCase))
                return $"Header '{name}' is written by Postrider; use another name.";
        }

        return null;
    }

    /// <summary>Joins the headers of a route and of a dispatcher.</summary>
    /// <param name="route">The headers of the route; null for none.</param>
    /// <param name="own">Those that take precedence; null for none.</param>
    /// <returns>One of them where the other has none; otherwise a new object.</returns>
    internal static Headers? Join(Headers? route, Headers? own)
        => own is null ? route : route is null ? own : Merge(route, own);

    /// <summary>Copies headers.</summary>
    /// <param name="route">The headers of the route; null for none.</param>
    /// <param name="own">Those that replace all of the same name.</param>
    internal static Headers Merge(Headers? route, Headers own)
    {
        var merged = new Headers();
        if (route is not null)
        {
            foreach (var (name, value) in route)
            {
                if (own[name] is null)
                    merged.Add(name, value);
            }
        }

        foreach (var (name, value) in own)
            merged.Add(name, value);
        return merged;
    }

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
