using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace Postrider.Sockets.WebSockets;

/// <summary>Reads and writes the payload of close frames. Source: RFC 6455, 5.5.1 and 7.4.</summary>
internal static class CloseFrame
{
    private const int MaxTextBytes = FrameHeader.MaxControlPayload - sizeof(ushort);
    private static ReadOnlySpan<byte> Ellipsis => "..."u8;

    /// <summary>Writes a payload; a text that is too long is cut and ends in three dots.</summary>
    public static byte[] Render(WebSocketClose close)
    {
        var text = Encoding.UTF8.GetBytes(close.Text);
        var bytes = text.Length <= MaxTextBytes ? text : [.. text.AsSpan(0, WholeCharacters(text, MaxTextBytes - Ellipsis.Length)), .. Ellipsis];
        var payload = new byte[sizeof(ushort) + bytes.Length];
        BinaryPrimitives.WriteUInt16BigEndian(payload, (ushort)close.Status);
        bytes.CopyTo(payload, sizeof(ushort));
        return payload;
    }

    /// <summary>Reads a payload.</summary>
    /// <param name="payload">At most 125 bytes, unmasked.</param>
    /// <param name="close">The close to respond with; null when the frame is empty.</param>
    /// <returns>The problem with the frame, or null.</returns>
    public static string? Read(ReadOnlySpan<byte> payload, out WebSocketClose? close)
    {
        close = null;
        if (payload.IsEmpty) return null;
        if (payload.Length < sizeof(ushort)) return "close frame payload cannot be 1 byte";
        var status = BinaryPrimitives.ReadUInt16BigEndian(payload);
        if (!IsValid(status)) return $"invalid close status code {status}";
        var text = payload[sizeof(ushort)..];
        close = Utf8.IsValid(text)
            ? new WebSocketClose((WebSocketCloseStatus)status, Encoding.UTF8.GetString(text))
            : new WebSocketClose(WebSocketCloseStatus.InvalidPayloadData, "invalid utf8 body in close frame");
        return null;
    }

    // Reserved codes, and those that only represent an absent frame, are never sent.
    private static bool IsValid(int status) => status is >= 1000 and < 5000 and not (1004 or 1005 or 1006 or (>= 1015 and <= 2999));

    private static int WholeCharacters(byte[] text, int length)
    {
        while (length > 0 && (text[length] & 0xC0) == 0x80) length--;
        return length;
    }
}
