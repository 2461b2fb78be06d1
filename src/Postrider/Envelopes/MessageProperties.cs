// Hot path: RemoteNotificationStep, RemoteHandler -> this -> MessageSender. Allocations: none; WriteTo the text of ids and times.
using System.Globalization;
using Postrider.Serialization;

namespace Postrider.Envelopes;

/// <summary>The metadata of a message that is sent with its body.</summary>
/// <remarks>A transport writes each property in its native form where it has one, and otherwise as the header of
/// <see cref="HeaderNames"/>: <see cref="WriteTo"/>. What arrives has all of them as headers. A default value has none.</remarks>
public readonly record struct MessageProperties
{
    private readonly MessageNumber _number;
    private readonly string? _messageId;
    private readonly string? _correlationId;
    // Whether the id and the correlation id are the number, which is converted to text when it is read.
    private readonly bool _isNumbered;
    private readonly bool _startsConversation;

    /// <summary>Creates the properties of a message with an id that is not text yet.</summary>
    /// <param name="id">The id.</param>
    /// <param name="correlationId">The conversation's identity; null for one that begins with this message.</param>
    internal MessageProperties(MessageNumber id, string? correlationId)
        => (_number, _isNumbered, _correlationId, _startsConversation) = (id, true, correlationId, correlationId is null);

    /// <summary>The media type of the body.</summary>
    public string? ContentType { get; init; }

    /// <summary>The message's identity.</summary>
    public string? MessageId
    {
        get => _isNumbered ? _number.ToString() : _messageId;
        init => (_messageId, _isNumbered) = (value, false);
    }

    /// <summary>The conversation's identity.</summary>
    public string? CorrelationId
    {
        get => _startsConversation ? _number.ToString() : _correlationId;
        init => (_correlationId, _startsConversation) = (value, false);
    }

    /// <summary>The id of the message that caused this one.</summary>
    public string? CausationId { get; init; }

    /// <summary>The name of the message's type.</summary>
    public string? Type { get; init; }

    /// <summary>The entity that the message is about.</summary>
    public string? Key { get; init; }

    /// <summary>The key that repeated messages share.</summary>
    public string? IdempotencyKey { get; init; }

    /// <summary>The id by which a transport with <c>TransportAbilities.Deduplication</c> recognizes a repetition, if it
    /// is neither <see cref="IdempotencyKey"/> nor <see cref="MessageId"/>. It does not travel.</summary>
    public string? DeduplicationId { get; init; }

    /// <summary>The deadline of the call.</summary>
    public DateTimeOffset? Deadline { get; init; }

    /// <summary>The time after which the message is not handled any more; null for never.</summary>
    public DateTimeOffset? ExpiresAt { get; init; }

    /// <summary>How long the transport keeps the message before it delivers it; zero or negative to deliver at once. It is not sent
    /// with the message.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>The W3C trace context.</summary>
    public string? TraceParent { get; init; }

    /// <summary>The W3C trace state.</summary>
    public string? TraceState { get; init; }

    /// <summary>Other headers; null for none. Only read.</summary>
    public Headers? Headers { get; init; }

    /// <summary>The id by which a repetition is recognized; null if the message has no id at all.</summary>
    public string? RepetitionId => DeduplicationId ?? IdempotencyKey ?? MessageId;

    /// <summary>Reads the properties from headers.</summary>
    /// <param name="headers">Headers as they arrive or as an application wrote them. Not modified.</param>
    /// <returns>The properties; <see cref="Headers"/> has the rest, in its order. A time that is not in the right format stays a
    /// header.</returns>
    public static MessageProperties From(Headers headers)
    {
        ArgumentNullException.ThrowIfNull(headers);
        var rest = new Headers();
        foreach (var (name, value) in headers)
        {
            if (!IsProperty(name) || !ReferenceEquals(headers[name], value) || (IsTime(name) && ParseTime(value) is null))
                rest.Add(name, value);
        }

        return new()
        {
            ContentType = headers[HeaderNames.ContentType],
            MessageId = headers[HeaderNames.MessageId],
            CorrelationId = headers[HeaderNames.CorrelationId],
            CausationId = headers[HeaderNames.CausationId],
            Type = headers[HeaderNames.Type],
            Key = headers[HeaderNames.Key],
            IdempotencyKey = headers[HeaderNames.IdempotencyKey],
            Deadline = ParseTime(headers[HeaderNames.Deadline]),
            ExpiresAt = ParseTime(headers[HeaderNames.ExpiresAt]),
            TraceParent = headers[HeaderNames.TraceParent],
            TraceState = headers[HeaderNames.TraceState],
            Headers = rest.Count == 0 ? null : rest,
        };
    }

    /// <summary>Adds the properties as headers, those of <see cref="Headers"/> last.</summary>
    /// <param name="headers">The headers of an envelope or of a protocol.</param>
    /// <exception cref="Exception">The protocol does not allow a name or a value; its headers name the exception.</exception>
    public void WriteTo(HeaderCollection headers)
    {
        ArgumentNullException.ThrowIfNull(headers);
        Add(headers, HeaderNames.ContentType, ContentType);
        var id = MessageId;
        Add(headers, HeaderNames.MessageId, id);
        Add(headers, HeaderNames.CorrelationId, _isNumbered && _startsConversation ? id : CorrelationId);
        Add(headers, HeaderNames.Type, Type);
        Add(headers, HeaderNames.Key, Key);
        Add(headers, HeaderNames.IdempotencyKey, IdempotencyKey);
        Add(headers, HeaderNames.CausationId, CausationId);
        Add(headers, HeaderNames.Deadline, Format(Deadline));
        Add(headers, HeaderNames.ExpiresAt, Format(ExpiresAt));
        Add(headers, HeaderNames.TraceParent, TraceParent);
        Add(headers, HeaderNames.TraceState, TraceState);
        if (Headers is null)
            return;
        foreach (var (name, value) in Headers)
            headers.Add(name, value);
    }

    /// <summary>Compares the transferred values, whatever their internal form.</summary>
    /// <param name="other">Other properties.</param>
    /// <returns>Whether all are equal; <see cref="Headers"/> must be the same object.</returns>
    public bool Equals(MessageProperties other)
        => string.Equals(ContentType, other.ContentType, StringComparison.Ordinal)
            && string.Equals(MessageId, other.MessageId, StringComparison.Ordinal)
            && string.Equals(CorrelationId, other.CorrelationId, StringComparison.Ordinal)
            && string.Equals(CausationId, other.CausationId, StringComparison.Ordinal)
            && string.Equals(Type, other.Type, StringComparison.Ordinal)
            && string.Equals(Key, other.Key, StringComparison.Ordinal)
            && string.Equals(IdempotencyKey, other.IdempotencyKey, StringComparison.Ordinal)
            && string.Equals(DeduplicationId, other.DeduplicationId, StringComparison.Ordinal)
            && Deadline == other.Deadline && ExpiresAt == other.ExpiresAt && Delay == other.Delay
            && string.Equals(TraceParent, other.TraceParent, StringComparison.Ordinal)
            && string.Equals(TraceState, other.TraceState, StringComparison.Ordinal)
            && ReferenceEquals(Headers, other.Headers);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(MessageId, CorrelationId, Type, Key);

    internal static DateTimeOffset? ParseTime(string? text)
        => DateTimeOffset.TryParseExact(text, "O", CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out var time) ? time : null;

    private static string? Format(DateTimeOffset? time) => time?.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);

    private static void Add(HeaderCollection headers, string name, string? value)
    {
        if (value is not null)
            headers.Add(name, value);
    }

    private static bool IsTime(string name) => Is(name, HeaderNames.Deadline) || Is(name, HeaderNames.ExpiresAt);

    private static bool IsProperty(string name)
        => Is(name, HeaderNames.ContentType) || Is(name, HeaderNames.MessageId) || Is(name, HeaderNames.CorrelationId)
            || Is(name, HeaderNames.CausationId) || Is(name, HeaderNames.Type) || Is(name, HeaderNames.Key)
            || Is(name, HeaderNames.IdempotencyKey) || IsTime(name) || Is(name, HeaderNames.TraceParent) || Is(name, HeaderNames.TraceState);

    private static bool Is(string name, string known) => string.Equals(name, known, StringComparison.OrdinalIgnoreCase);
}
