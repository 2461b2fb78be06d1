// Hot path: Consumer -> this, per acknowledgement. Allocations: only for reasons and delays.
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Consumers.Acknowledging;

/// <summary>The payload of an acknowledgement.</summary>
/// <remarks>Source: the acknowledgements <c>+ACK -NAK +WPI +NXT +TERM</c> and the empty one.</remarks>
internal static class AckPayload
{
    /// <summary>Reads the kind.</summary>
    /// <param name="payload">As received.</param>
    /// <param name="rest">The text after the kind, trimmed.</param>
    public static AckKind Read(ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> rest)
    {
        rest = default;
        if (payload.IsEmpty || payload.SequenceEqual("+ACK"u8) || payload.SequenceEqual("+OK"u8)) return AckKind.Ack;
        if (payload.SequenceEqual("+WPI"u8)) return AckKind.Progress;
        if (payload.StartsWith("+NXT"u8)) return Found(AckKind.Next, payload[4..], out rest);
        if (payload.StartsWith("-NAK"u8)) return Found(AckKind.Nak, payload[4..], out rest);
        return payload.StartsWith("+TERM"u8) ? Found(AckKind.Term, payload[5..], out rest) : AckKind.Unknown;
    }

    /// <summary>Reads the delay of a nak, in nanoseconds; null when there is none or it is invalid.</summary>
    public static long? ReadDelay(ReadOnlySpan<byte> text)
    {
        if (text.IsEmpty) return null;
        if (text[0] != '{') return GoDuration.TryParse(Encoding.UTF8.GetString(text), out var span, out _) ? Clock.Of(span) : null;
        try
        {
            var reader = new Utf8JsonReader(text);
            long delay = 0;
            reader.Read();
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                var isDelay = reader.ValueTextEquals("delay"u8);
                reader.Read();
                if (isDelay) delay = reader.GetInt64();
                else reader.Skip();
            }
            return delay;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException or FormatException)
        {
            return null;
        }
    }

    private static AckKind Found(AckKind kind, ReadOnlySpan<byte> behind, out ReadOnlySpan<byte> rest)
    {
        rest = behind.Trim(" \t\r\n"u8);
        return kind;
    }
}
