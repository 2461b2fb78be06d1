using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Amqp;
using Amqp.Framing;
using Amqp.Types;
using Postrider.Envelopes;

namespace Postrider.Transport.ServiceBus;

/// <summary>Properties of messages as AMQP's and the service's, and back.</summary>
internal static class ServiceBusHeaderMapping
{
    /// <summary>The number of deliveries of the message that were settled before it was stored again for another attempt.</summary>
    internal const string Attempts = "Postrider-Attempts";

    internal const string Reason = "DeadLetterReason";
    internal const string Description = "DeadLetterErrorDescription";

    // The service's limit of message ids, session ids and partition keys.
    private const int MaxIdChars = 128;

    private static readonly Symbol s_scheduledTime = "x-opt-scheduled-enqueue-time";

    /// <summary>For sending.</summary>
    internal static Message ToAmqp(in MessageProperties properties, ReadOnlyMemory<byte> body, TimeProvider time)
    {
        var headers = new Headers();
        properties.WriteTo(headers);
        var message = new Message { Header = new Header { Durable = true }, Properties = new Properties(), BodySection = new Data { Binary = body.ToArray() } };
        // The service recognizes repetitions by the message id: the sender's deduplication id becomes the id, and the message's own id a header.
        var id = properties.RepetitionId is { } repetition ? Bounded(repetition) : null;
        message.Properties.MessageId = id;
        if (properties.Key is { Length: > 0 } key)
            message.Properties.GroupId = Bounded(key);
        var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, value) in headers)
        {
            if (!IsNative(message.Properties, name, value))
                values[name] = values.TryGetValue(name, out var known) ? $"{known}\n{value}" : value;
        }

        Write(message, values);
        if (properties.Delay > TimeSpan.Zero)
            Schedule(message, time.GetUtcNow() + properties.Delay);
        return message;
    }

    /// <summary>The same message once more, for a later attempt.</summary>
    /// <param name="message">As it arrived.</param>
    /// <param name="attempts">Number of attempts that it has had.</param>
    /// <param name="due">When it is delivered again.</param>
    /// <param name="copyId">The id of the copy: a queue that detects duplicates would drop one with the old id.</param>
    internal static Message Again(Message message, long attempts, DateTimeOffset due, string copyId)
    {
        var values = new ApplicationProperties();
        foreach (var (name, value) in message.ApplicationProperties?.Map ?? [])
        {
            if (name is string text && text is not (Reason or Description))
                values[text] = value;
        }

        values[Attempts] = attempts;
        if (IdOf(message) is { } id && !values.Map.ContainsKey(HeaderNames.MessageId))
            values[HeaderNames.MessageId] = id;
        var known = message.Properties;
        var copy = new Message
        {
            Header = new Header { Durable = true },
            Properties = new Properties
            {
                MessageId = Bounded(copyId),
                To = known?.To,
                Subject = known?.Subject,
                ReplyTo = known?.ReplyTo,
                ContentType = known?.ContentType,
                ContentEncoding = known?.ContentEncoding,
                GroupId = known?.GroupId,
                ReplyToGroupId = known?.ReplyToGroupId,
            },
            ApplicationProperties = values,
            BodySection = message.BodySection,
        };
        if (known?.GetCorrelationId() is { } correlation)
            copy.Properties.SetCorrelationId(correlation);
        if (message.Header is { Ttl: > 0 and < uint.MaxValue } header)
            copy.Header.Ttl = header.Ttl;
        Schedule(copy, due);
        return copy;
    }

    /// <summary>Of a message that arrived.</summary>
    /// <param name="message">The message.</param>
    /// <param name="isDead">Whether it is in a dead-letter queue, where it does not expire again.</param>
    internal static Headers FromAmqp(Message message, bool isDead)
    {
        var target = new Headers();
        var known = message.Properties;
        var own = message.ApplicationProperties?.Map;
        Add(target, HeaderNames.ContentType, known?.ContentType);
        if (own?.ContainsKey(HeaderNames.MessageId) != true)
            Add(target, HeaderNames.MessageId, IdOf(message));
        Add(target, HeaderNames.CorrelationId, Text(known?.GetCorrelationId()));
        Add(target, HeaderNames.Type, known?.Subject);
        if (own?.ContainsKey(HeaderNames.Key) != true)
            Add(target, HeaderNames.Key, known?.GroupId);
        foreach (var (name, value) in own ?? [])
        {
            if (name is not string header || header is Attempts or Reason or Description || (isDead && header is HeaderNames.ExpiresAt))
                continue;
            foreach (var one in (Text(value) ?? "").Split('\n'))
                Add(target, header, one);
        }

        return target;
    }

    /// <summary>The bytes of a message; none for one without a body.</summary>
    /// <returns>False for an AMQP value or sequence that is neither bytes nor text.</returns>
    internal static bool TryBody(Message message, out ReadOnlyMemory<byte> body)
    {
        switch (message.BodySection)
        {
            case null or AmqpValue { Value: null }:
                body = default;
                return true;
            case Data data:
                body = data.Binary;
                return true;
            case DataList list:
                var bytes = new List<byte>();
                for (var i = 0; i < list.Count; i++)
                    bytes.AddRange(list[i].Binary);
                body = bytes.ToArray();
                return true;
            case AmqpValue { Value: byte[] binary }:
                body = binary;
                return true;
            case AmqpValue { Value: string text }:
                body = Encoding.UTF8.GetBytes(text);
                return true;
            default:
                body = default;
                return false;
        }
    }

    /// <summary>The number of the delivery: those before the message was last stored, and those since. In a dead-letter queue it starts
    /// again.</summary>
    internal static long CountOf(Message message, bool isDead)
    {
        var stored = isDead ? 0L : message.ApplicationProperties?.Map.GetValueOrDefault(Attempts) switch
        {
            long number => Math.Clamp(number, 0, int.MaxValue),
            int number => Math.Max(0, number),
            _ => 0L,
        };
        return 1 + stored + (message.Header?.DeliveryCount ?? 0);
    }

    /// <summary>An annotation of the service; null if the message does not have it.</summary>
    internal static object? Annotation(Message message, string name) => message.MessageAnnotations?.Map.GetValueOrDefault((Symbol)name);

    internal static DateTimeOffset? Time(Message message, string name)
        => Annotation(message, name) is DateTime time && time.Year is > 1970 and < 9999 ? new DateTimeOffset(DateTime.SpecifyKind(time, DateTimeKind.Utc)) : null;

    internal static long Sequence(Message message) => Annotation(message, "x-opt-sequence-number") as long? ?? 0;

    internal static string? ApplicationText(Message message, string name) => Text(message.ApplicationProperties?.Map.GetValueOrDefault(name));

    internal static void Write(Message message, IEnumerable<KeyValuePair<string, string>> values)
    {
        message.ApplicationProperties ??= new ApplicationProperties();
        foreach (var (name, value) in values)
            message.ApplicationProperties[name] = value;
    }

    private static void Schedule(Message message, DateTimeOffset due)
    {
        message.MessageAnnotations ??= new MessageAnnotations();
        message.MessageAnnotations[s_scheduledTime] = due.UtcDateTime;
    }

    private static string? IdOf(Message message) => Text(message.Properties?.GetMessageId());

    // The first value of a header with its own field is stored there, if it fits.
    private static bool IsNative(Properties target, string name, string value)
    {
        switch (name)
        {
            case HeaderNames.MessageId:
                return string.Equals(value, target.MessageId, StringComparison.Ordinal);
            case HeaderNames.Key:
                return string.Equals(value, target.GroupId, StringComparison.Ordinal);
            case HeaderNames.ContentType when target.ContentType is null && value.Length is > 0 and <= MaxIdChars && Ascii.IsValid(value):
                target.ContentType = value;
                return true;
            case HeaderNames.CorrelationId when target.GetCorrelationId() is null && value.Length is > 0 and <= MaxIdChars:
                target.CorrelationId = value;
                return true;
            case HeaderNames.Type when target.Subject is null && value.Length is > 0 and <= MaxIdChars:
                target.Subject = value;
                return true;
            default:
                return false;
        }
    }

    private static string Bounded(string id) => id.Length <= MaxIdChars ? id : Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(id)));

    // Names and values of other senders may contain characters that headers do not allow.
    private static void Add(Headers target, string name, string? value)
    {
        if (value is not null && name.Length > 0 && !name.AsSpan().ContainsAny(":\r\n"))
            target.Add(name, value.AsSpan().ContainsAny("\r\n") ? value.ReplaceLineEndings(" ") : value);
    }

    private static string? Text(object? value) => value switch
    {
        byte[] bytes => Convert.ToHexStringLower(bytes),
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        string or bool or Symbol => value.ToString(),
        // Lists and maps have no text form.
        _ => null,
    };
}
