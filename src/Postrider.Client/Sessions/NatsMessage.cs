
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client;

/// <summary>A received message with its payload as a value.</summary>
/// <typeparam name="T">The payload's type.</typeparam>
/// <remarks>A value that stays valid; nothing has to be released except what <typeparamref name="T"/> requires.</remarks>
public readonly struct NatsMessage<T>
{
    private readonly T _data;
    private readonly NatsSession? _session;
    private readonly NatsHeaders? _headers;
    private readonly Exception? _error;

    internal NatsMessage(NatsSession session, string subject, string? replyTo, NatsHeaders? headers, T data, int sizeBytes, Exception? error)
    {
        _session = session;
        Subject = subject;
        ReplyTo = replyTo;
        _headers = headers;
        _data = data;
        SizeBytes = sizeBytes;
        _error = error;
    }

    /// <summary>The subject.</summary>
    public string Subject { get; }

    /// <summary>The subject for replies, or null.</summary>
    public string? ReplyTo { get; }

    /// <summary>The size of headers and payload, in bytes.</summary>
    public int SizeBytes { get; }

    /// <summary>The headers, or null.</summary>
    public NatsHeaders? Headers => _headers;

    /// <summary>The payload.</summary>
    /// <exception cref="NatsClientException">The serializer could not deserialize it: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public T Data => _error is null ? _data : throw Unreadable();

    /// <summary>The error of the deserialization, or null.</summary>
    public Exception? Error => _error;

    /// <summary>Whether the message has a reply subject.</summary>
    public bool ExpectsReply => ReplyTo is not null;

    /// <summary>Sends a reply.</summary>
    /// <typeparam name="TReply">The reply's type.</typeparam>
    /// <param name="data">The reply.</param>
    /// <param name="headers">The headers, or null.</param>
    /// <param name="serializer">The serializer; null for the client's default.</param>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>A task that completes when the reply is in the send buffer.</returns>
    /// <exception cref="NatsClientException">The message has no reply subject, or as for <c>PublishAsync</c>.</exception>
    public ValueTask ReplyAsync<TReply>(TReply data, NatsHeaders? headers = null, Serializer<TReply>? serializer = null, CancellationToken ct = default)
        => Owner.PublishAsync(ReplySubject, data, default(ReadOnlySpan<byte>), headers, serializer, ct);

    /// <summary>Sends an empty reply.</summary>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>A task that completes when the reply is in the send buffer.</returns>
    public ValueTask ReplyAsync(NatsHeaders? headers = null, CancellationToken ct = default)
        => Owner.PublishAsync(ReplySubject, ReadOnlyMemory<byte>.Empty, default(ReadOnlySpan<byte>), headers, null, ct);

    private NatsSession Owner => _session ?? throw new InvalidOperationException("This message was not received.");

    private string ReplySubject => ReplyTo
        ?? throw new NatsClientException(NatsErrorCode.InvalidArgument, $"The message on '{Subject}' has no reply subject.");

    private NatsClientException Unreadable()
        => new(NatsErrorCode.PayloadUnreadable, $"The payload of the message on '{Subject}', of {SizeBytes} bytes with its headers, is not a valid {typeof(T)}: {_error!.Message}", _error);
}
