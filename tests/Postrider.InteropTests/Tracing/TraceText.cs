using System.Text.Json;
using System.Text.RegularExpressions;

namespace Postrider.InteropTests.Tracing;

/// <summary>Traces as lines that can be compared: without times, ids and what else is each server's own.</summary>
internal static partial class TraceText
{
    /// <summary>The lines of a trace.</summary>
    /// <param name="json">The event.</param>
    public static IEnumerable<string> LinesOf(string json)
    {
        var root = JsonDocument.Parse(json).RootElement;
        yield return $"server {string.Join(' ', root.GetProperty("server").EnumerateObject().Select(static member => member.Name).Where(static name => name is not ("feature_flags" or "metadata" or "flags" or "cluster")).Order(StringComparer.Ordinal))}";
        yield return $"name {root.GetProperty("server").GetProperty("name")}";
        yield return $"members {string.Join(' ', root.EnumerateObject().Select(static member => member.Name))}";
        var request = root.GetProperty("request");
        // Sizes depend on what servers make up: subjects for answers, and round trips.
        var text = WithoutOwnSubjects(RoundTrip().Replace(request.GetRawText(), ""));
        yield return $"request {(text.Contains("_R_", StringComparison.Ordinal) ? text[..text.IndexOf(",\"msgsize\"", StringComparison.Ordinal)] : text)}";
        if (root.TryGetProperty("hops", out var hops)) yield return $"hops {hops}";
        var steps = root.GetProperty("events").EnumerateArray().Select(static (step, i) => (Line: LineOf(step), IsFirst: i == 0)).ToList();
        yield return steps[0].Line;
        foreach (var (line, _) in steps.Skip(1).OrderBy(static step => step.Line, StringComparer.Ordinal)) yield return line;
    }

    /// <summary>A text without subjects that servers make up.</summary>
    public static string WithoutOwnSubjects(string text) => Own().Replace(text, "_R_");

    /// <summary>What a client received: without INFO, PONG, and what servers say of round trips, and so without sizes.</summary>
    public static string MessagesOf(string received)
    {
        var lines = WithoutOwnSubjects(received).Split("\r\n")
            .Where(static line => !line.StartsWith("INFO ", StringComparison.Ordinal) && line != "PONG" && !line.StartsWith("Nats-Request-Info", StringComparison.Ordinal) && !line.StartsWith("Nats-Time-Stamp", StringComparison.Ordinal))
            .Select(static line => line.StartsWith("HMSG ", StringComparison.Ordinal) || line.StartsWith("MSG ", StringComparison.Ordinal) ? string.Join(' ', line.Split(' ')[..^(line[0] == 'H' ? 2 : 1)]) : line);
        return string.Join('|', lines);
    }

    private static string LineOf(JsonElement step)
    {
        Assert.Equal(JsonValueKind.String, step.GetProperty("ts").ValueKind);
        return string.Join(' ', step.EnumerateObject()
            .Where(static member => member.Name is not ("ts" or "cid"))
            .Select(static member => $"{member.Name}={Own().Replace(member.Value.ToString(), "_R_")}"));
    }

    // Of Nats-Request-Info, within a string.
    [GeneratedRegex(",\\\\\"rtt\\\\\":[0-9]+")]
    private static partial Regex RoundTrip();

    [GeneratedRegex("_R_\\.[A-Za-z0-9]+\\.[A-Za-z0-9]+")]
    private static partial Regex Own();
}
