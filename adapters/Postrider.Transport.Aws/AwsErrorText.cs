using System.Text.Json;
using System.Xml;
using System.Xml.Linq;

namespace Postrider.Transport.Aws;

/// <summary>Parses the responses of the query protocol (XML) and the JSON protocol.</summary>
internal static class AwsErrorText
{
    private const int MaxCharacters = 8 * 1024 * 1024;

    /// <summary>Reads an error.</summary>
    /// <returns>Null if the text is not an error of AWS.</returns>
    internal static (string Code, string Message)? TryRead(string text)
    {
        try
        {
            return text.AsSpan().TrimStart().StartsWith("{", StringComparison.Ordinal) ? Json(text) : Xml(text);
        }
        catch (Exception other) when (other is JsonException or XmlException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>Parses an XML response: no document types, no entities.</summary>
    /// <exception cref="XmlException">It is not XML.</exception>
    internal static XElement Parse(string text)
    {
        using var reader = XmlReader.Create(new StringReader(text), new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, MaxCharactersInDocument = MaxCharacters });
        return XElement.Load(reader);
    }

    /// <summary>The text of a child, whatever its namespace is; null if it has none.</summary>
    internal static string? Child(XElement? parent, string name) => parent?.Elements().FirstOrDefault(child => child.Name.LocalName == name)?.Value;

    /// <summary>All elements of a name, whatever their namespace is.</summary>
    internal static IEnumerable<XElement> All(XElement root, string name) => root.Descendants().Where(child => child.Name.LocalName == name);

    private static (string, string)? Json(string text)
    {
        using var parsed = JsonDocument.Parse(text);
        var root = parsed.RootElement;
        if (!root.TryGetProperty("__type", out var type) || type.GetString() is not { Length: > 0 } code)
            return null;
        // A name may be prefixed with the shape's namespace.
        code = code[(code.IndexOf('#', StringComparison.Ordinal) + 1)..];
        var message = root.TryGetProperty("message", out var lower) ? lower : root.TryGetProperty("Message", out var upper) ? upper : default;
        return (code, message.ValueKind == JsonValueKind.String ? message.GetString()! : code);
    }

    private static (string, string)? Xml(string text)
    {
        var error = All(Parse(text), "Error").FirstOrDefault();
        return Child(error, "Code") is { Length: > 0 } code ? (code, Child(error, "Message") ?? code) : null;
    }
}
