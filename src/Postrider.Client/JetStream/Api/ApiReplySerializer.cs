using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;

namespace Postrider.Client.JetStream.Api;

/// <summary>Reads replies: a top-level <c>error</c> first, and the value only without one.</summary>
internal sealed class ApiReplySerializer<T>(JsonTypeInfo<T> type) : Serializer<ApiReply<T>>
{
    public override string ContentType => "application/json";

    public override void Write(IBufferWriter<byte> output, ApiReply<T> value) => throw new NotSupportedException("Replies are only received.");

    public override ApiReply<T> Read(ReadOnlySpan<byte> input)
        => FindError(input) is { } error ? new ApiReply<T>(default!, error) : new ApiReply<T>(JsonSerializer.Deserialize(input, type)!, null);

    private static ApiError? FindError(ReadOnlySpan<byte> payload)
    {
        var reader = new Utf8JsonReader(payload);
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject) return null;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("error"u8))
            {
                reader.Read();
                return JsonSerializer.Deserialize(ref reader, JetStreamJson.Default.ApiError);
            }
            reader.Skip();
        }
        return null;
    }
}
