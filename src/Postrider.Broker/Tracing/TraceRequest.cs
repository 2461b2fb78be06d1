using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;

namespace Postrider.Broker.Tracing;

/// <summary>The request in a message's headers to trace it.</summary>
/// <remarks>Immutable. Source: NATS ADR-41; nats-server, message tracing.</remarks>
internal sealed class TraceRequest
{
    private static readonly byte[] TraceParent = "traceparent"u8.ToArray();

    private TraceRequest(SortedDictionary<string, List<string>> headers, bool isExternal) => (Headers, IsExternal) = (headers, isExternal);

    // Not a valid subject, so that no server uses it as one.
    private static ReadOnlySpan<byte> Disabled => "trace disabled"u8;

    /// <summary>The header with the subject to which the traces are published.</summary>
    public static ReadOnlySpan<byte> DestinationHeader => "Nats-Trace-Dest"u8;

    /// <summary>The header with the hop number under which the next server reports.</summary>
    public static ReadOnlySpan<byte> HopHeader => "Nats-Trace-Hop"u8;

    /// <summary>The headers by name, in their order, with all values of each.</summary>
    public SortedDictionary<string, List<string>> Headers { get; }

    /// <summary>Whether only a <c>traceparent</c> requests the trace: the account has the destination.</summary>
    public bool IsExternal { get; }

    /// <summary>The subject to which the traces are published; null when the account has it.</summary>
    public string? Destination => Value("Nats-Trace-Dest");

    /// <summary>Whether the message is only traced and not delivered.</summary>
    public bool Only => !IsExternal && Value("Nats-Trace-Only")?.ToUpperInvariant() is "1" or "TRUE" or "ON";

    /// <summary>The hop number that the previous server gave to this one; null when the message comes from a client.</summary>
    public string? Hop => Value("Nats-Trace-Hop");

    /// <summary>Whether a header of earlier versions names another account: such messages are not traced.</summary>
    public bool HasOriginAccount => Value("Nats-Trace-Origin-Account") is not null;

    /// <summary>The encodings that the traces may have; null for none.</summary>
    public string? AcceptedEncodings => Value("Accept-Encoding");

    /// <summary>A cheap first check of a message with headers.</summary>
    /// <param name="headers">A header block.</param>
    /// <param name="tracesParents">Whether the account traces messages with a <c>traceparent</c>.</param>
    public static bool MayBeIn(ReadOnlySpan<byte> headers, bool tracesParents)
        => MayHaveDestination(headers) || (tracesParents && HasTraceParent(headers));

    /// <summary>Reads a header block.</summary>
    /// <returns>Null when it does not request a trace.</returns>
    public static TraceRequest? Read(ReadOnlySpan<byte> headers)
    {
        var rest = headers;
        if (!rest.StartsWith("NATS/1.0\r\n"u8)) return null;
        rest = rest["NATS/1.0\r\n"u8.Length..];
        var found = new SortedDictionary<string, List<string>>(StringComparer.Ordinal);
        var (hasDestination, hasParent) = (false, false);
        while (rest.IndexOf((byte)':') is var colon and >= 0)
        {
            var name = rest[..colon];
            rest = rest[(colon + 1)..].TrimStart(" \t"u8);
            var end = rest.IndexOf("\r\n"u8);
            if (end < 0) break;
            var value = rest[..end].TrimEnd(" \t"u8);
            rest = rest[(end + 2)..];
            if (name.IsEmpty || value.IsEmpty) continue;
            if (!hasParent && Ascii.EqualsIgnoreCase(name, TraceParent))
            {
                hasParent = IsSampled(value);
            }
            else if (!hasDestination && name.SequenceEqual(DestinationHeader))
            {
                if (value.SequenceEqual(Disabled)) return null;
                hasDestination = true;
            }
            var key = Encoding.UTF8.GetString(name);
            if (!found.TryGetValue(key, out var values)) found.Add(key, values = []);
            values.Add(Encoding.UTF8.GetString(value));
        }
        return hasDestination || hasParent ? new TraceRequest(found, !hasDestination) : null;
    }

    /// <summary>The header block of a message that the following servers must not trace.</summary>
    public static byte[] Disable(ReadOnlySpan<byte> headers) => HeaderLines.Set(headers, DestinationHeader, Disabled);

    /// <summary>The header block of a message that a stream stores: it is not traced again when a consumer delivers it.</summary>
    public static byte[] DisableStored(ReadOnlySpan<byte> headers) => HeaderLines.Replace(headers, DestinationHeader, Disabled);

    // A line begins with the name: its line feed, T and D are looked for at 16 places at once, which takes a third of a search for the name.
    private static bool MayHaveDestination(ReadOnlySpan<byte> headers)
    {
        const int statusLine = 9, shortest = 31, placeOfT = 6, placeOfD = 12;
        if (headers.Length < shortest) return false;
        var last = headers.Length - placeOfD - Vector128<byte>.Count;
        ref var first = ref MemoryMarshal.GetReference(headers);
        for (var i = statusLine; ; i += Vector128<byte>.Count)
        {
            var place = (nuint)Math.Min(i, last);
            var found = Vector128.Equals(Vector128.LoadUnsafe(ref first, place), Vector128.Create((byte)'\n'))
                & Vector128.Equals(Vector128.LoadUnsafe(ref first, place + placeOfT), Vector128.Create((byte)'T'))
                & Vector128.Equals(Vector128.LoadUnsafe(ref first, place + placeOfD), Vector128.Create((byte)'D'));
            if (found != Vector128<byte>.Zero) return headers.IndexOf(DestinationHeader) >= 0;
            if (i >= last) return false;
        }
    }

    private static bool HasTraceParent(ReadOnlySpan<byte> headers)
    {
        for (var rest = headers; rest.IndexOf((byte)'\n') is var end and >= 0; rest = rest[(end + 1)..])
        {
            var next = rest[(end + 1)..];
            if (next.Length > TraceParent.Length && next[TraceParent.Length] == ':' && Ascii.EqualsIgnoreCase(next[..TraceParent.Length], TraceParent)) return true;
        }
        return false;
    }

    // version-trace id-parent id-flags, where the lowest bit of the flags means that the trace is recorded. As in nats-server the highest
    // bit must not be set.
    private static bool IsSampled(ReadOnlySpan<byte> value)
        => Encoding.UTF8.GetString(value).Split('-') is [_, _, _, { Length: 2 } flags]
            && sbyte.TryParse(flags, System.Globalization.NumberStyles.AllowHexSpecifier, System.Globalization.CultureInfo.InvariantCulture, out var bits)
            && bits >= 0 && (bits & 1) == 1;

    private string? Value(string name) => Headers.TryGetValue(name, out var values) ? values[0] : null;
}
