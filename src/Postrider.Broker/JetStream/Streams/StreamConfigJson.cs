using System.Text.Json;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Reads and compares configurations.</summary>
internal static class StreamConfigJson
{
    /// <summary>The context that reads requests: strict unless the options say otherwise.</summary>
    public static StreamJson Reader(JetStreamOptions options) => options.Strict ? StreamJson.Default : StreamJson.Lenient;

    /// <summary>Whether two sources are the same.</summary>
    public static bool AreEqual(StreamSource? first, StreamSource? second)
        => AreEqual(new StreamConfig { Mirror = first }, new StreamConfig { Mirror = second });

    /// <summary>A text that is equal exactly for equal sources.</summary>
    public static string KeyOf(StreamSource source) => JsonSerializer.Serialize(source, StreamJson.Default.StreamSource);

    /// <summary>Whether two configurations are the same.</summary>
    public static bool AreEqual(StreamConfig first, StreamConfig second)
        => JsonSerializer.SerializeToUtf8Bytes(first, StreamJson.Default.StreamConfig).AsSpan()
            .SequenceEqual(JsonSerializer.SerializeToUtf8Bytes(second, StreamJson.Default.StreamConfig));
}
