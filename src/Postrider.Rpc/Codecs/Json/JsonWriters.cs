using System.Buffers;
using System.Text.Json;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>The JSON writer that a thread keeps between messages.</summary>
internal static class JsonWriters
{
    [ThreadStatic] private static Utf8JsonWriter? t_writer;

    /// <summary>Taken while in use, so that what serializes within gets a writer of its own.</summary>
    public static Utf8JsonWriter Rent(IBufferWriter<byte> output)
    {
        var writer = t_writer;
        t_writer = null;
        if (writer is null)
            return new(output, new JsonWriterOptions { SkipValidation = true });
        writer.Reset(output);
        return writer;
    }

    public static void Return(Utf8JsonWriter writer)
    {
        writer.Flush();
        writer.Reset(Stream.Null);
        t_writer = writer;
    }

    public static RpcException Unreadable(JsonException bad) => new(RpcStatus.InvalidData, Describe(bad), bad);

    /// <summary>Whether the writer refused a value, and not a property of the application's.</summary>
    public static bool IsOfWriter(ArgumentException bad) => bad.Source is null or "System.Text.Json";

    public static RpcException Unwritable(ArgumentException bad)
        => new(RpcStatus.InvalidData, "JSON cannot represent a value of the message: NaN, infinity and unpaired surrogates are not supported.", bad);

    /// <summary>An object of an abstract type without a discriminator, or with one that does not stand first.</summary>
    public static RpcException Unreadable(NotSupportedException bad)
        => new(RpcStatus.InvalidData, "The JSON object does not begin with a type discriminator, or the discriminator is unknown.", bad);

    /// <summary>What is wrong with the text and where, without the names of types that the serializer puts in its messages.</summary>
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
        return $"{words}{(bad.Path is { Length: > 0 } path ? $" Path: {path}." : "")}{(bad.LineNumber is { } line ? $" Line {line + 1}, byte {bad.BytePositionInLine + 1}." : "")}";
    }
}
