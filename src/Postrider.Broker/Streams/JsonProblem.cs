using System.Text.Json;

namespace Postrider.Broker.Streams;

/// <summary>Says what is wrong with a request's JSON in the reference's words, as far as clients look at them.</summary>
internal static class JsonProblem
{
    /// <summary>Describes a parser's exception.</summary>
    public static string Describe(JsonException error)
    {
        if (error is UnknownWordException) return error.Message;
        if (error.Message.Contains("could not be mapped", StringComparison.Ordinal) && Quoted(error.Message) is { } name)
            return $"json: unknown field \"{name}\"";
        var inner = error.InnerException is FormatException or InvalidOperationException;
        return error.Path is { Length: > 2 } path && (inner || error.Message.Contains("could not be converted", StringComparison.Ordinal))
            ? $"json: cannot unmarshal value into field {path[2..]}"
            : $"{error.Message} at offset {error.BytePositionInLine ?? 0}";
    }

    private static string? Quoted(string text)
    {
        var start = text.IndexOf('\'');
        var end = start < 0 ? -1 : text.IndexOf('\'', start + 1);
        return end < 0 ? null : text[(start + 1)..end];
    }
}
