using System.Buffers;
using System.Text;

namespace Postrider.Envelopes;

/// <summary>Names of CloudEvents' attributes, and of their headers in the binary form.</summary>
internal static class CloudEventNames
{
    internal const string SpecVersion = "specversion";
    internal const string SupportedVersion = "1.0";
    internal const string Id = "id";
    internal const string Source = "source";
    internal const string Type = "type";
    internal const string Subject = "subject";
    internal const string Time = "time";
    internal const string DataContentType = "datacontenttype";
    internal const string Data = "data";
    internal const string DataBase64 = "data_base64";
    internal const string PartitionKey = "partitionkey";

    /// <summary>The content type of the structured form.</summary>
    internal const string StructuredType = "application/cloudevents+json";

    /// <summary>The beginning of every content type that holds events.</summary>
    internal const string StructuredPrefix = "application/cloudevents";

    /// <summary>The prefix of headers by the bindings for HTTP and NATS, and for attributes that arrive.</summary>
    internal const string Prefix = "ce-";

    private const string KafkaPrefix = "ce_";
    private const string AmqpPrefix = "cloudEvents_";
    private const string AmqpColonPrefix = "cloudEvents:";

    // The characters that need no encoding in a header in the HTTP and NATS bindings.
    private static readonly SearchValues<char> s_plain = SearchValues.Create(
        "!#$&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~");

    /// <summary>The Postrider header of an extension attribute; null if it has none.</summary>
    internal static string? HeaderOf(string attribute) => attribute switch
    {
        Id => HeaderNames.MessageId,
        Type => HeaderNames.Type,
        PartitionKey => HeaderNames.Key,
        DataContentType => HeaderNames.ContentType,
        "correlationid" => HeaderNames.CorrelationId,
        "causationid" => HeaderNames.CausationId,
        "idempotencykey" => HeaderNames.IdempotencyKey,
        "expirytime" => HeaderNames.ExpiresAt,
        "deadline" => HeaderNames.Deadline,
        "traceparent" => HeaderNames.TraceParent,
        "tracestate" => HeaderNames.TraceState,
        _ => null,
    };

    /// <summary>Whether an attribute is a time.</summary>
    internal static bool IsTime(string attribute) => attribute is "expirytime" or "deadline" or Time;

    /// <summary>The prefix by the binding of a transport.</summary>
    internal static string PrefixOf(string transport) => transport switch
    {
        "kafka" => KafkaPrefix,
        "rabbitmq" or "servicebus" => AmqpPrefix,
        _ => Prefix,
    };

    /// <summary>The attribute of a header; null if the header has none.</summary>
    /// <param name="header">The header's name.</param>
    /// <param name="isEncoded">Whether its value is percent-encoded.</param>
    internal static string? AttributeOf(string header, out bool isEncoded)
    {
        isEncoded = false;
        if (header.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase))
        {
            isEncoded = true;
            return header[Prefix.Length..].ToLowerInvariant();
        }

        if (header.StartsWith(KafkaPrefix, StringComparison.OrdinalIgnoreCase))
            return header[KafkaPrefix.Length..].ToLowerInvariant();
        return header.StartsWith(AmqpPrefix, StringComparison.OrdinalIgnoreCase) || header.StartsWith(AmqpColonPrefix, StringComparison.OrdinalIgnoreCase)
            ? header[AmqpPrefix.Length..].ToLowerInvariant()
            : null;
    }

    /// <summary>Encodes a value for the bindings of HTTP and NATS.</summary>
    internal static string Encode(string value)
    {
        if (!value.AsSpan().ContainsAnyExcept(s_plain))
            return value;
        var encoded = new StringBuilder(value.Length + 16);
        Span<byte> utf8 = stackalloc byte[4];
        foreach (var rune in value.EnumerateRunes())
        {
            if (rune.IsAscii && s_plain.Contains((char)rune.Value))
            {
                encoded.Append((char)rune.Value);
                continue;
            }

            foreach (var one in utf8[..rune.EncodeToUtf8(utf8)])
                encoded.Append('%').Append(one.ToString("X2", System.Globalization.CultureInfo.InvariantCulture));
        }

        return encoded.ToString();
    }

    /// <summary>Decodes a value of the bindings of HTTP and NATS.</summary>
    internal static string Decode(string value) => value.Contains('%', StringComparison.Ordinal) ? Uri.UnescapeDataString(value) : value;
}
