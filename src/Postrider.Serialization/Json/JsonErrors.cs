using System.Text.Json;

namespace Postrider.Serialization.Json;

/// <summary>Describes errors in JSON without type names, so that the text may be sent to the other side.</summary>
internal static class JsonErrors
{
    public const string Unwritable = "JSON cannot represent a value of the message: NaN, infinity and unpaired surrogates are not supported.";

    /// <summary>An object of an abstract type without a discriminator, or with one that is not the first property.</summary>
    public const string WrongDiscriminator = "The JSON object does not begin with a type discriminator, or the discriminator is unknown.";

    /// <summary>Whether the writer rejected a value, rather than a property of the application throwing.</summary>
    public static bool IsOfWriter(ArgumentException bad) => bad.Source is null or "System.Text.Json";

    /// <summary>Describes an error and its position, without the type names that the serializer puts in its messages.</summary>
    public static string Describe(JsonException bad)
    {
        var words = bad.Message;
        foreach (var place in (string[])[" Path: ", " LineNumber: "])
        {
            if (words.LastIndexOf(place, StringComparison.Ordinal) is >= 0 and var at)
                words = words[..at];
        }

        if (words.IndexOf("missing required properties", StringComparison.Ordinal) is >= 0 and var required)
            words = $"The JSON object is {words[required..]}";
        else if (words.Contains("could not be converted to", StringComparison.Ordinal) || words.Contains("type '", StringComparison.Ordinal) || words.Contains(".NET", StringComparison.Ordinal))
            words = "The JSON value does not match the contract.";
        else if (words.Contains("does not contain any JSON tokens", StringComparison.Ordinal))
            words = "The JSON text is empty.";
        return $"{words}{(bad.Path is { Length: > 0 } path ? $" Path: {path}." : "")}{(bad.LineNumber is { } line ? $" Line {line + 1}, byte {bad.BytePositionInLine + 1}." : "")}";
    }
}
