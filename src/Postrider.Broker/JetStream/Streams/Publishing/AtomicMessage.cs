namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The prepared form of a message of an atomic batch: the parts that the batch itself does not hold.</summary>
internal readonly struct AtomicMessage
{
    private readonly byte[]? _subject;
    private readonly byte[]? _headers;
    private readonly byte[]? _payload;
    private readonly byte[] _messageId;
    private readonly uint _seconds;
    private readonly RollupKind _rollup;
    private readonly bool _hasSchedule;
    private readonly bool _isSkipped;

    /// <summary>Keeps the parts that differ from the published message.</summary>
    public AtomicMessage(in PreparedMessage message, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        _subject = message.Subject == subject ? null : message.Subject.ToArray();
        _headers = message.Headers == headers ? null : message.Headers.ToArray();
        _payload = message.Payload == payload ? null : message.Payload.ToArray();
        (_messageId, _seconds, _rollup) = (message.MessageId.ToArray(), message.Seconds, message.Rollup);
        (_hasSchedule, _isSkipped) = (message.HasSchedule, message.IsSkipped);
    }

    /// <summary>The message, with the parts that the batch holds.</summary>
    public PreparedMessage With(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload) => new()
    {
        Subject = _subject ?? subject,
        Headers = _headers ?? headers,
        Payload = _payload ?? payload,
        MessageId = _messageId,
        Sum = "",
        Seconds = _seconds,
        Rollup = _rollup,
        HasSchedule = _hasSchedule,
        IsSkipped = _isSkipped,
    };
}
