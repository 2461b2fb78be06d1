namespace Postrider;

/// <summary>Headers that an application adds to the messages of a route.</summary>
internal static class RouteHeaders
{
    // The names that Postrider reads, now or later.
    private const string Prefix = "Postrider-";

    private static readonly string[] s_written = ["Content-Type", "traceparent", "tracestate"];

    /// <summary>Why headers cannot be added.</summary>
    /// <returns>Null if they can.</returns>
    internal static string? Problem(Headers headers)
    {
        foreach (var (name, _) in headers)
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
}
