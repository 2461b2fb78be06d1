
using Postrider.Client.Sessions;

namespace Postrider.Client;

/// <summary>A received message with its payload as a value.</summary>
/// <typeparam name="T">The payload's type.</typeparam>
/// <remarks>A value of its own: it stays valid, and nothing has to be given back but what <typeparamref name="T"/> asks for.</remarks>
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

    /// <summary>The subject it was published to.</summary>
    public string Subject { get; }

    /// <summary>Where an answer is expected, or null.</summary>
    public string? ReplyTo { get; }

    /// <summary>Headers and payload together, in bytes.</summary>
    public int SizeBytes { get; }

    /// <summary>The headers, or null.</summary>
    public NatsHeaders? Headers => _headers;

    /// <summary>The payload.</summary>
    /// <exception cref="NatsClientException">The serializer could not read it: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public T Data => _error is null ? _data : throw Unreadable();

    /// <summary>Why the payload could not be read, or null.</summary>
    public Exception? Error => _error;

    /// <summary>Whether the sender waits for an answer.</summary>
    public bool ExpectsReply => ReplyTo is not null;

    /// <summary>Answers.</summary>
    /// <typeparam name="TReply">The answer's type.</typeparam>
    /// <param name="data">The answer.</param>
    /// <param name="headers">Its headers, or null.</param>
    /// <param name="serializer">Its serializer; null finds one.</param>
    /// <param name="ct">Ends the wait for room, not the publish.</param>
    /// <returns>Done when the answer is on its way to the server.</returns>
    /// <exception cref="NatsClientException">The message expects no answer, or as <c>PublishAsync</c>.</exception>
    public ValueTask ReplyAsync<TReply>(TReply data, NatsHeaders? headers = null, IPayloadSerializer<TReply>? serializer = null, CancellationToken ct = default)
        => Owner.PublishAsync(ReplySubject, data, default(ReadOnlySpan<byte>), headers, serializer, ct);

    /// <summary>Answers with an empty payload.</summary>
    /// <param name="headers">Headers, or null.</param>
    /// <param name="ct">Ends the wait for room, not the publish.</param>
    /// <returns>Done when the answer is on its way to the server.</returns>
    public ValueTask ReplyAsync(NatsHeaders? headers = null, CancellationToken ct = default)
        => Owner.PublishAsync(ReplySubject, ReadOnlyMemory<byte>.Empty, default(ReadOnlySpan<byte>), headers, null, ct);

    private NatsSession Owner => _session ?? throw new InvalidOperationException("This message was not received.");

    private string ReplySubject => ReplyTo
        ?? throw new NatsClientException(NatsErrorCode.InvalidArgument, $"The message on '{Subject}' has no reply subject.");

    private NatsClientException Unreadable()
        => new(NatsErrorCode.PayloadUnreadable, $"The payload of {SizeBytes} bytes on '{Subject}' is not a valid {typeof(T)}: {_error!.Message}", _error);
}
