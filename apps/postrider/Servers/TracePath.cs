using System.Globalization;
using System.IO.Compression;
using System.Text;
using System.Text.Json;

namespace Postrider.CommandLine.Servers;

/// <summary>The servers' reports on a traced message, ordered by the numbers of their hops.</summary>
internal sealed class TracePath
{
    private const string First = "";

    // By hop: an empty text for the first server, 1 and 2 for the servers after it, 1.1 for the next.
    private readonly SortedDictionary<string, JsonElement> _reports = new(StringComparer.Ordinal);

    /// <summary>Whether no server reported.</summary>
    internal bool IsEmpty => _reports.Count == 0;

    /// <summary>Whether all expected servers have reported.</summary>
    internal bool IsComplete => _reports.ContainsKey(First) && _reports.Values.All(HasAllBehind);

    /// <summary>Takes a report, plain or compressed with gzip, as the message asked for in its <c>Accept-Encoding</c>.</summary>
    /// <exception cref="JsonException">It is not a report.</exception>
    internal void Add(byte[] report)
    {
        try
        {
            var root = JsonDocument.Parse(report is [0x1f, 0x8b, ..] ? Decompress(report) : report).RootElement;
            if (root.GetProperty("server").ValueKind != JsonValueKind.Object || root.GetProperty("events").EnumerateArray().Any(static step => step.ValueKind != JsonValueKind.Object))
                throw new JsonException("A report on the message has a server or a step that is not an object.");
            _reports[HopOf(root)] = root;
        }
        catch (Exception error) when (error is InvalidOperationException or KeyNotFoundException or IndexOutOfRangeException or InvalidDataException)
        {
            throw new JsonException($"A report on the message is not from a server: {error.Message}", error);
        }
    }

    /// <summary>The reports as an array, the first server's first.</summary>
    internal string ToJson() => $"[{string.Join(',', _reports.Values.Select(static report => report.GetRawText()))}]";

    /// <summary>The reports for people: a line per step; those of other servers are indented.</summary>
    /// <param name="isDelivered">Whether the message was delivered too.</param>
    internal string ToText(bool isDelivered)
    {
        var text = new StringBuilder();
        var counts = new Counts();
        if (_reports.ContainsKey(First)) Write(text, First, 0, counts);
        // Without the first server's report, the others are listed without structure.
        else foreach (var hop in _reports.Keys) Write(text, hop, 0, counts);
        var what = $"{Quantity.Of(counts.Clients, "client")}, {Quantity.Of(counts.Streams, "stream")} and {Quantity.Of(counts.Servers, "other server")}";
        return text.Append(isDelivered ? $"Delivered to {what}." : $"It would reach {what}.").ToString();
    }

    private static byte[] Decompress(byte[] report)
    {
        using var gzip = new GZipStream(new MemoryStream(report), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        gzip.CopyTo(plain);
        return plain.ToArray();
    }

    private static string HopOf(JsonElement report)
        => report.GetProperty("request").TryGetProperty("header", out var headers) && headers.TryGetProperty("Nats-Trace-Hop", out var hop) && hop[0].GetString() is { } own ? own : First;

    private bool HasAllBehind(JsonElement report) => !Steps(report).Any(step => Text(step, "hop") is { } hop && Text(step, "error") is null && !_reports.ContainsKey(hop));

    private void Write(StringBuilder text, string hop, int depth, Counts counts)
    {
        var report = _reports[hop];
        var server = report.GetProperty("server");
        foreach (var step in Steps(report))
        {
            var line = Line(step, server, counts);
            text.Append(' ', 2 * (depth + (Text(step, "type") == "in" ? 0 : 1))).Append(line).Append(Text(step, "error") is { } error ? $": {error}" : "").Append('\n');
            // The next hop is always longer, so reports that refer to each other end here.
            if (Text(step, "hop") is { } next && next.Length > hop.Length && _reports.ContainsKey(next)) Write(text, next, depth + 2, counts);
        }
    }

    private static string Line(JsonElement step, JsonElement server, Counts counts)
    {
        var fits = Text(step, "error") is null;
        switch (Text(step, "type"))
        {
            case "in":
                return $"{Text(server, "name")} ({Text(server, "ver")}): {Text(step, "subj")} from {Connection(step)} in account {Text(step, "acc")}";
            case "sm":
                return $"mapped to {Text(step, "to")}";
            case "se":
                return $"exported to account {Text(step, "acc")} as {Text(step, "to")}";
            case "si":
                return $"service of account {Text(step, "acc")}: {Text(step, "from")} becomes {Text(step, "to")}";
            case "js":
                if (fits) counts.Streams++;
                var stored = Text(step, "subject") is { } subject ? $" stores it as {subject}" : "";
                return $"stream {Text(step, "stream")}{(step.TryGetProperty("nointerest", out _) ? " drops it, because no consumer is interested" : stored)}";
            case "eg" when Text(step, "sub") is { } subscription:
                if (fits) counts.Clients++;
                return $"{Connection(step)} by {subscription}{(Text(step, "queue") is { } queue ? $" in queue group {queue}" : "")}{(Text(step, "acc") is { } account ? $" in account {account}" : "")}";
            case "eg":
                if (fits) counts.Servers++;
                return $"{Connection(step)}, hop {Text(step, "hop")}";
            default:
                return $"{Text(step, "type")} {step.GetRawText()}";
        }
    }

    // Kinds are nats-server's numbers.
    private static string Connection(JsonElement step)
    {
        var kind = Number(step, "kind");
        var word = kind switch { 0 => "client", 1 => "route", 2 => "gateway", 4 => "leaf node", _ => "connection" };
        var id = Number(step, "cid")?.ToString(CultureInfo.InvariantCulture);
        return Text(step, "name") is { } name ? $"{word} {name} ({id})" : $"{word} {id}";
    }

    private static JsonElement.ArrayEnumerator Steps(JsonElement report) => report.GetProperty("events").EnumerateArray();

    private static string? Text(JsonElement element, string name) => element.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    private static ulong? Number(JsonElement element, string name)
        => element.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.Number && value.TryGetUInt64(out var number) ? number : null;

    private sealed class Counts
    {
        public int Clients { get; set; }

        public int Streams { get; set; }

        public int Servers { get; set; }
    }
}
