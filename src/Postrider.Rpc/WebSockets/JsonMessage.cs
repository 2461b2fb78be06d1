using System.Text.Json;

namespace Postrider.Rpc.WebSockets;

/// <summary>One text message: an object with the data of a call.</summary>
/// <remarks>Shape: values are slices of the text, valid as long as it is. Unknown members are skipped.</remarks>
internal sealed class JsonMessage
{
    // Deeper than any codec allows, so that the codec rejects it.
    private const int MaxDepth = 512;

    private JsonMessage()
    {
    }

    /// <summary>The call's number; 0 when there is none.</summary>
    public uint Id { get; private set; }

    /// <summary>The operation, in a message that starts a call.</summary>
    public string? Call { get; private set; }

    /// <summary>The timeout of that call.</summary>
    public uint? Milliseconds { get; private set; }

    public RpcHeaders? Headers { get; private set; }

    /// <summary>Without a call: the window in bytes of each stream from the sender.</summary>
    public uint? Window { get; private set; }

    /// <summary>Further bytes of credit for a call's stream.</summary>
    public uint? Credit { get; private set; }

    public ReadOnlyMemory<byte> Message { get; private set; }

    public ReadOnlyMemory<byte>? Item { get; private set; }

    public ReadOnlyMemory<byte>? Result { get; private set; }

    public ReadOnlyMemory<byte>? Error { get; private set; }

    public bool IsEnd { get; private set; }

    public bool IsCancel { get; private set; }

    public bool IsGoodbye { get; private set; }

    /// <exception cref="RpcException">It is not a message: <see cref="RpcStatus.ProtocolError"/>.</exception>
    public static JsonMessage Read(ReadOnlyMemory<byte> text)
    {
        try
        {
            var reader = new Utf8JsonReader(text.Span, new JsonReaderOptions { MaxDepth = MaxDepth });
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
                throw Bad("it is not an object");
            var message = new JsonMessage();
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
                message.ReadProperty(ref reader, text);
            return reader.Read() ? throw Bad("unexpected data after the object") : message;
        }
        catch (JsonException bad)
        {
            throw Bad(bad.Message);
        }
        catch (InvalidOperationException bad)
        {
            throw Bad("a value has the wrong type, or a string is not valid Unicode", bad);
        }
        catch (FormatException bad)
        {
            throw Bad("a number is out of range", bad);
        }
    }

    private static RpcException Bad(string why, Exception? cause = null) => new(RpcStatus.ProtocolError, $"Invalid message: {why}", cause);

    private void ReadProperty(ref Utf8JsonReader reader, ReadOnlyMemory<byte> text)
    {
        var name = reader.GetString();
        reader.Read();
        switch (name)
        {
            case "id":
                Id = reader.GetUInt32();
                break;
            case "call":
                Call = reader.GetString();
                break;
            case "timeout":
                Milliseconds = reader.GetUInt32();
                break;
            case "headers":
                Headers = ReadHeaders(ref reader);
                break;
            case "window":
                Window = reader.GetUInt32();
                break;
            case "credit":
                Credit = reader.GetUInt32();
                break;
            case "message":
                Message = Raw(ref reader, text);
                break;
            case "item":
                Item = Raw(ref reader, text);
                break;
            case "result":
                Result = Raw(ref reader, text);
                break;
            case "error":
                Error = Raw(ref reader, text);
                break;
            case "end":
                IsEnd = reader.GetBoolean();
                break;
            case "cancel":
                IsCancel = reader.GetBoolean();
                break;
            case "goodbye":
                IsGoodbye = reader.GetBoolean();
                break;
            default:
                reader.Skip();
                break;
        }
    }

    private static RpcHeaders ReadHeaders(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
            throw Bad("its headers are not an object");
        var headers = new RpcHeaders();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString()!;
            reader.Read();
            if (reader.GetString() is not { } value || !RpcHeaders.IsName(name) || !RpcHeaders.IsValue(value))
                throw Bad($"the header '{name}' is invalid");
            headers[name] = value;
        }

        return headers;
    }

    private static ReadOnlyMemory<byte> Raw(ref Utf8JsonReader reader, ReadOnlyMemory<byte> text)
    {
        var start = (int)reader.TokenStartIndex;
        reader.Skip();
        return text[start..(int)reader.BytesConsumed];
    }
}
