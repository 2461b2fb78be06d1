// Hot path: AckInbox, Requester -> this. Allocations: none while one stream answers.
using System.Buffers;
using System.Text;
using System.Text.Json;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;

namespace Postrider.Client.JetStream.Publishing;

/// <summary>Reads the acknowledgements of publishes.</summary>
/// <remarks>Thread-safe. The name of the stream in the last reply is kept as a string: most publishers have a single one.</remarks>
internal sealed class PubAckSerializer : Serializer<PubAckReply>
{
    private Name _last = new([], "");

    public override string ContentType => "application/json";

    public override void Write(IBufferWriter<byte> output, PubAckReply value) => throw new NotSupportedException("Acknowledgements are only received.");

    public override PubAckReply Read(ReadOnlySpan<byte> input)
    {
        var reader = new Utf8JsonReader(input);
        var ack = default(PublishAck);
        ApiError? error = null;
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("seq"u8))
            {
                reader.Read();
                ack = ack with { Sequence = reader.GetUInt64() };
            }
            else if (reader.ValueTextEquals("stream"u8))
            {
                reader.Read();
                ack = ack with { Stream = StreamName(ref reader) };
            }
            else
            {
                ReadRare(ref reader, ref ack, ref error);
            }
        }
        if (error is null && ack.Stream is null) throw new FormatException("The reply does not name a stream, so it is not an acknowledgement.");
        return new PubAckReply(ack, error);
    }

    private static void ReadRare(ref Utf8JsonReader reader, ref PublishAck ack, ref ApiError? error)
    {
        if (reader.ValueTextEquals("error"u8))
        {
            reader.Read();
            error = JsonSerializer.Deserialize(ref reader, JetStreamJson.Default.ApiError);
            return;
        }
        if (reader.ValueTextEquals("duplicate"u8)) ack = ack with { IsDuplicate = reader.Read() && reader.GetBoolean() };
        else if (reader.ValueTextEquals("domain"u8)) ack = ack with { Domain = Text(ref reader) };
        else if (reader.ValueTextEquals("batch"u8)) ack = ack with { BatchId = Text(ref reader) };
        else if (reader.ValueTextEquals("count"u8)) ack = ack with { BatchCount = reader.Read() ? reader.GetInt32() : 0 };
        else if (reader.ValueTextEquals("val"u8)) ack = ack with { Value = Text(ref reader) };
        else reader.Skip();
    }

    private static string? Text(ref Utf8JsonReader reader) => reader.Read() ? reader.GetString() : null;

    private string StreamName(ref Utf8JsonReader reader)
    {
        var last = Volatile.Read(ref _last);
        if (!reader.ValueIsEscaped && reader.ValueSpan.SequenceEqual(last.Bytes)) return last.Text;
        var text = reader.GetString()!;
        Volatile.Write(ref _last, new Name(Encoding.UTF8.GetBytes(text), text));
        return text;
    }

    private sealed record Name(byte[] Bytes, string Text);
}
