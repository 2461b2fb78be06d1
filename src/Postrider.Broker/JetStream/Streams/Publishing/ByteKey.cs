using System.Text;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Bytes as keys of collections: one character for each byte, so that bytes that are not valid UTF-8 stay distinct.</summary>
internal static class ByteKey
{
    /// <summary>The key of bytes.</summary>
    public static string Of(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? "" : Encoding.Latin1.GetString(bytes);

    /// <summary>The bytes of a key, as text for logs and messages.</summary>
    public static string TextOf(string key) => Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(key));
}
