using System.Buffers.Text;
using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Adds lines to the headers of delivered messages.</summary>
/// <remarks>Shape: one buffer, valid until the next call. Not thread-safe.</remarks>
internal sealed class DeliveryHeaderWriter
{
    private const int MaxDigits = 20;

    private byte[] _buffer = new byte[256];

    /// <summary>Headers for a message whose payload is left out.</summary>
    public ReadOnlySpan<byte> HeadersOnly(ReadOnlySpan<byte> headers, int payloadBytes)
    {
        Span<byte> digits = stackalloc byte[MaxDigits];
        _ = Utf8Formatter.TryFormat(payloadBytes, digits, out var count);
        return With(headers, "Nats-Msg-Size: "u8, digits[..count]);
    }

    /// <summary>Headers with the client's pin id.</summary>
    public ReadOnlySpan<byte> WithPin(ReadOnlySpan<byte> headers, string pin)
    {
        Span<byte> bytes = stackalloc byte[Encoding.UTF8.GetMaxByteCount(pin.Length)];
        return With(headers, "Nats-Pin-Id: "u8, bytes[..Encoding.UTF8.GetBytes(pin, bytes)]);
    }

    private ReadOnlySpan<byte> With(scoped ReadOnlySpan<byte> headers, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value)
    {
        var before = MessageHeaders.WithoutEnd(headers);
        var needed = before.Length + name.Length + value.Length + 4;

        // The headers may be in the buffer already: a pin is added to the output of headers-only.
        var target = _buffer.Length < needed || headers.Overlaps(_buffer) ? new byte[needed * 2] : _buffer;
        before.CopyTo(target);
        name.CopyTo(target.AsSpan(before.Length));
        value.CopyTo(target.AsSpan(before.Length + name.Length));
        "\r\n\r\n"u8.CopyTo(target.AsSpan(needed - 4));
        _buffer = target;
        return target.AsSpan(0, needed);
    }
}
