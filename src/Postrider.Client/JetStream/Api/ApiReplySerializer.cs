using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Api;

/// <summary>Reads replies: a top-level <c>error</c> first, and only without one the value.</summary>
internal sealed class ApiReplySerializer<T>(JsonTypeInfo<T> type) : IPayloadSerializer<ApiReply<T>>
{
    public void Serialize(IBufferWriter<byte> target, ApiReply<T> value) => throw new NotSupportedException("Replies are only received.");

    public ApiReply<T> Deserialize(ReadOnlySpan<byte> payload)
        => FindError(payload) is { } error ? new ApiReply<T>(default!, error) : new ApiReply<T>(JsonSerializer.Deserialize(payload, type)!, null);

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
