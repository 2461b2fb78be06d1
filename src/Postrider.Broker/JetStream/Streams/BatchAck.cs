using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.JetStream.Streams.Publishing;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The acknowledgement of a batch.</summary>
internal static class BatchAck
{
    /// <summary>Renders the acknowledgement.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="sequence">The sequence of the batch's last message.</param>
    /// <param name="id">The batch's id, as returned by <see cref="ByteKey.Of"/>.</param>
    /// <param name="count">The number of messages in the batch.</param>
    /// <param name="isDuplicate">Whether its only message is a duplicate.</param>
    public static byte[] Render(StreamCore stream, ulong sequence, string id, ulong count, bool isDuplicate = false)
    {
        var name = JsonEncodedText.Encode(ByteKey.TextOf(id), JavaScriptEncoder.UnsafeRelaxedJsonEscaping);
        var duplicate = isDuplicate ? ",\"duplicate\": true" : "";
        return Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Encoding.UTF8.GetString(stream.AckPrefix)}{sequence}{duplicate},\"batch\":\"{name}\",\"count\":{count}}}"));
    }
}
