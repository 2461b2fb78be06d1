using System.Globalization;
using System.Text;

namespace Postrider.Broker.Accounts;

/// <summary>Finds out from the headers of a request whether its tracing system asks for a measurement.</summary>
/// <remarks>Zipkin's B3, Jaeger's <c>Uber-Trace-Id</c> and W3C's <c>traceparent</c>. Source: nats-server, sampling by trace headers.</remarks>
internal static class TraceHeaders
{
    // The names as nats-server shows them.
    private static readonly string[] Names =
        ["Uber-Trace-Id", "X-B3-Sampled", "X-B3-Traceid", "X-B3-Parentspanid", "X-B3-Spanid", "B3", "Traceparent", "Tracestate"];

    /// <summary>The headers that ask for a measurement.</summary>
    /// <param name="headers">A header block, or empty.</param>
    /// <returns>Null when the request is not to be measured.</returns>
    public static IReadOnlyList<(string Name, string Value)>? Find(ReadOnlySpan<byte> headers)
    {
        if (headers.IsEmpty) return null;
        var found = Read(headers);
        if (Value("Uber-Trace-Id") is { } uber)
            return uber.Split(':') is [_, _, _, { Length: 1 or 2 } flags] && IsOdd(flags) ? Only(static name => name.StartsWith("Uber", StringComparison.Ordinal)) : null;
        var sampled = Value("X-B3-Sampled");
        if (sampled is "0") return null;
        // With an id but no sampling decision, the recipient decides.
        if (sampled is "1" || Value("X-B3-Traceid") is not null) return Only(static name => name.StartsWith("X-B3", StringComparison.Ordinal));
        if (Value("B3") is { } b3) return b3.Split('-') is [_, _, "0", ..] or ["0"] ? null : Only(static name => name == "B3");
        if (Value("Traceparent") is { } parent)
            return parent.Split('-') is [_, _, _, { Length: 2 } flags] && IsOdd(flags) ? Only(static name => name.StartsWith("Trace", StringComparison.Ordinal)) : null;
        return null;

        string? Value(string name) => found.Find(header => header.Name == name).Value;

        (string Name, string Value)[] Only(Predicate<string> which) => [.. found.Where(header => which(header.Name))];
    }

    private static List<(string Name, string Value)> Read(ReadOnlySpan<byte> headers)
    {
        var found = new List<(string Name, string Value)>();
        foreach (var line in Encoding.UTF8.GetString(headers).Split('\n').Skip(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0) continue;
            var name = line[..colon].Trim();
            if (Array.Find(Names, known => known.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } canonical) found.Add((canonical, line[(colon + 1)..].Trim()));
            else if (name.StartsWith("uberctx-", StringComparison.OrdinalIgnoreCase)) found.Add(("Uberctx-" + name[8..], line[(colon + 1)..].Trim()));
        }
        return found;
    }

    private static bool IsOdd(string hexadecimal)
        => byte.TryParse(hexadecimal, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var flags) && (flags & 1) == 1;
}
