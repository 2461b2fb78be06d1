// Hot path: ConsumerSubscription -> this -> the caller. Allocations: none.
using System.Globalization;
using System.Text;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.JetStream;

/// <summary>A message that a consumer delivered, with its payload as a value.</summary>
/// <typeparam name="T">The payload's type.</typeparam>
/// <remarks>
/// A value that stays valid. Acknowledge each message of a consumer with <see cref="Models.AckPolicy.Explicit"/>
/// once: positively, negatively or by a termination. A message that is not acknowledged is redelivered.
/// </remarks>
public readonly struct JetStreamMessage<T>
{
    private readonly NatsMessage<T> _message;
    private readonly AckReplySubject _delivery;
    private readonly ConsumerSubscription? _subscription;
    private readonly AckState? _ackState;

    internal JetStreamMessage(in NatsMessage<T> message, in AckReplySubject delivery, ConsumerSubscription subscription)
    {
        _message = message;
        _delivery = delivery;
        _subscription = subscription;
    }

    private JetStreamMessage(in JetStreamMessage<T> message, AckState answer)
    {
        this = message;
        _ackState = answer;
    }

    /// <summary>The subject.</summary>
    public string Subject => _message.Subject;

    /// <summary>The headers, or null.</summary>
    public NatsHeaders? Headers => _message.Headers;

    /// <summary>The size of headers and payload, in bytes.</summary>
    public int SizeBytes => _message.SizeBytes;

    /// <summary>The payload.</summary>
    /// <exception cref="NatsClientException">The serializer could not deserialize it: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public T Data => _message.Data;

    /// <summary>The error of the deserialization, or null.</summary>
    public Exception? Error => _message.Error;

    /// <summary>Its stream, consumer, sequences and delivery count.</summary>
    public MessageMetadata Metadata => _delivery.Metadata;

    /// <summary>Its sequence in the stream.</summary>
    public ulong Sequence => _delivery.StreamSequence;

    internal AckReplySubject AckReplySubject => _delivery;

    /// <summary>Acknowledges the message.</summary>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>A task that completes when the acknowledgement is in the send buffer. It may get lost; use <see cref="AckAndConfirmAsync"/> to be sure.</returns>
    public ValueTask AckAsync(CancellationToken ct = default) => AnswerAsync("+ACK"u8, ct);

    /// <summary>Acknowledges the message and waits for the server's confirmation.</summary>
    /// <param name="timeout">How long to wait; null for the context's.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>A task that completes when the server has confirmed the acknowledgement.</returns>
    /// <exception cref="NatsClientException">The server did not confirm in time, or the consumer no longer exists.</exception>
    public async ValueTask AckAndConfirmAsync(TimeSpan? timeout = null, CancellationToken ct = default)
    {
        var (requester, subject) = (Owner.Api.Requester, Text());
        if (_ackState?.TryClaim() == false) return;
        await requester.RequestAsync<string, ReadOnlyMemory<byte>>(subject, "+ACK", timeout ?? Owner.Api.Timeout, null, Utf8, null, ct).ConfigureAwait(false);
    }

    /// <summary>Acknowledges the message negatively: it will be redelivered.</summary>
    /// <param name="delay">The delay before the redelivery; null for none.</param>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>A task that completes when the message is in the send buffer.</returns>
    public ValueTask NakAsync(TimeSpan? delay = null, CancellationToken ct = default)
    {
        if (delay is not { } wait || wait <= TimeSpan.Zero) return AnswerAsync("-NAK"u8, ct);
        return AnswerAsync(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"-NAK {{\"delay\":{Math.Min(wait.Ticks, long.MaxValue / TimeSpan.NanosecondsPerTick) * TimeSpan.NanosecondsPerTick}}}")), ct);
    }

    /// <summary>Terminates the message: it will not be redelivered although it was not processed.</summary>
    /// <param name="reason">The reason, which is published in an advisory.</param>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>A task that completes when the message is in the send buffer.</returns>
    public ValueTask TerminateAsync(string? reason = null, CancellationToken ct = default)
        => string.IsNullOrEmpty(reason) ? AnswerAsync("+TERM"u8, ct) : AnswerAsync(Encoding.UTF8.GetBytes($"+TERM {reason}"), ct);

    /// <summary>Reports to the server that the message is being processed: the ack wait starts again.</summary>
    /// <param name="ct">Cancels the wait for room in the send buffer; the message is sent all the same.</param>
    /// <returns>A task that completes when the message is in the send buffer.</returns>
    public ValueTask InProgressAsync(CancellationToken ct = default) => _ackState is { IsClaimed: true } ? default : SendAsync("+WPI"u8, ct);

    /// <summary>Sends in-progress acknowledgements periodically until the result is disposed.</summary>
    /// <param name="interval">The interval: less than the consumer's ack wait, for example a third of it.</param>
    /// <returns>Dispose it when the work is done, before or after the acknowledgement.</returns>
    public IDisposable KeepInProgress(TimeSpan interval)
    {
        var message = this;
        return new InProgressTimer(Owner.Session.Options.TimeProvider, interval, () => message.InProgressAsync());
    }

    /// <summary>The same message, for which only the first acknowledgement counts.</summary>
    internal JetStreamMessage<T> AnsweredOnce() => new(in this, new AckState());

    private static Serializer<string> Utf8 => TextSerializerProvider.Instance.Find<string>()!;

    private ConsumerSubscription Owner => _delivery.IsKnown && _subscription is not null
        ? _subscription
        : throw new NatsClientException(NatsErrorCode.InvalidArgument, $"The message on '{Subject}' was not delivered by a consumer.");

    private ValueTask AnswerAsync(ReadOnlySpan<byte> answer, CancellationToken ct)
        => _ackState?.TryClaim() == false ? default : SendAsync(answer, ct);

    private ValueTask SendAsync(ReadOnlySpan<byte> answer, CancellationToken ct)
    {
        var session = Owner.Session;
        Span<byte> target = stackalloc byte[_delivery.MaxBytes];
        var subject = _delivery.Write(target);
        return session.PublishRawAsync(subject, answer, ct);
    }

    private string Text()
    {
        Span<byte> target = stackalloc byte[_delivery.MaxBytes];
        return Encoding.UTF8.GetString(_delivery.Write(target));
    }
}
