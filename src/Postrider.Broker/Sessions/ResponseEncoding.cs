using System.IO.Compression;

namespace Postrider.Broker.Sessions;

/// <summary>Compresses responses of the broker for clients that accept it.</summary>
/// <remarks>Of nats-server's encodings only gzip is supported; others get an uncompressed response, as unknown ones do in nats-server.</remarks>
internal static class ResponseEncoding
{
    /// <summary>Encodes a payload.</summary>
    /// <param name="accepted">The value of the header <c>Accept-Encoding</c>; null or empty for none.</param>
    /// <param name="text">The payload.</param>
    /// <returns>The header block, empty without compression, and the payload.</returns>
    public static (byte[] Headers, byte[] Payload) Encode(string? accepted, ReadOnlySpan<byte> text)
    {
        if (string.IsNullOrEmpty(accepted)) return ([], text.ToArray());
        if (!accepted.Contains("gzip", StringComparison.OrdinalIgnoreCase)) return ("NATS/1.0\r\nContent-Encoding: identity\r\n\r\n"u8.ToArray(), text.ToArray());
        var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true)) gzip.Write(text);
        return ("NATS/1.0\r\nContent-Encoding: gzip\r\n\r\n"u8.ToArray(), packed.ToArray());
    }
}
