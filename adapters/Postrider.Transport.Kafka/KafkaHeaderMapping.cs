using System.Text;
using Postrider.Envelopes;
using KafkaHeaders = Confluent.Kafka.Headers;

namespace Postrider.Transport.Kafka;

/// <summary>Properties of messages as Kafka's headers and keys, and back.</summary>
internal static class KafkaHeaderMapping
{
    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    internal static KafkaHeaders ToKafka(in MessageProperties properties)
    {
        var headers = new Headers();
        // The key is the message's own.
        (properties with { Key = null }).WriteTo(headers);
        var target = new KafkaHeaders();
        foreach (var (name, value) in headers)
            target.Add(name, Encoding.UTF8.GetBytes(value));
        return target;
    }

    internal static byte[]? Key(in MessageProperties properties) => properties.Key is { } key ? Encoding.UTF8.GetBytes(key) : null;

    /// <summary>Of a message that arrived.</summary>
    internal static Headers FromKafka(KafkaHeaders? headers, byte[]? key)
    {
        var target = new Headers();
        if (key is not null)
            Add(target, HeaderNames.Key, KeyText(key));
        if (headers is null)
            return target;
        foreach (var header in headers)
        {
            if (key is null || !string.Equals(header.Key, HeaderNames.Key, StringComparison.OrdinalIgnoreCase))
                Add(target, header.Key, header.GetValueBytes() is { } value ? Encoding.UTF8.GetString(value) : "");
        }

        return target;
    }

    // Keys of other programs may be numbers or have a binary format: different keys must have different texts.
    private static string KeyText(byte[] key)
    {
        try
        {
            return s_strict.GetString(key);
        }
        catch (DecoderFallbackException)
        {
            return $"0x{Convert.ToHexString(key)}";
        }
    }

    // Names and values of other senders may contain characters that headers do not allow.
    private static void Add(Headers target, string name, string value)
    {
        if (!string.IsNullOrEmpty(name) && !name.AsSpan().ContainsAny(":\r\n"))
            target.Add(name, value.AsSpan().ContainsAny("\r\n") ? value.ReplaceLineEndings(" ") : value);
    }
}
