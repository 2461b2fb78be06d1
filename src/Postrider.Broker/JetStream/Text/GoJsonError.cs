using System.Text.Json;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Describes errors in a request's JSON in nats-server's words, as far as clients depend on them.</summary>
internal static class GoJsonError
{
    /// <summary>Describes a parser's exception for a text with valid syntax.</summary>
    public static string Describe(JsonException error)
    {
        if (error is UnknownEnumValueException) return error.Message;
        if (error.Message.Contains("could not be mapped", StringComparison.Ordinal) && Quoted(error.Message) is { } name)
            return $"json: unknown field \"{name}\"";
        return error.Path is { Length: > 2 } path
            ? $"json: cannot unmarshal value into field {path[2..]}"
            : "json: cannot unmarshal value into an object";
    }

    private static string? Quoted(string text)
    {
        var start = text.IndexOf('\'');
        var end = start < 0 ? -1 : text.IndexOf('\'', start + 1);
        return end < 0 ? null : text[(start + 1)..end];
    }
}
