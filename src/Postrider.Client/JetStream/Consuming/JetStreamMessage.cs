// Hot path: ConsumerSubscription -> this -> the caller. Allocations: none.
using System.Globalization;
using System.Text;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;

namespace Postrider.Client.JetStream;

/// <summary>A message that a consumer delivered, with its payload as a value.</summary>
/// <typeparam name="T">The payload's type.</typeparam>
/// <remarks>
/// A value of its own: it stays valid. Answer each message of a consumer with <see cref="Models.AckPolicy.Explicit"/>
/// once: with an acknowledgement, a refusal or a termination. One that is not answered is delivered again.
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

    /// <summary>The subject it was stored under.</summary>
    public string Subject => _message.Subject;

    /// <summary>Its headers, or null.</summary>
    public NatsHeaders? Headers => _message.Headers;

    /// <summary>Headers and payload together, in bytes.</summary>
    public int SizeBytes => _message.SizeBytes;

    /// <summary>The payload.</summary>
    /// <exception cref="NatsClientException">The serializer could not read it: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public T Data => _message.Data;

    /// <summary>Why the payload could not be read, or null.</summary>
    public Exception? Error => _message.Error;

    /// <summary>Where it comes from and how often it was delivered.</summary>
    public MessageMetadata Metadata => _delivery.Metadata;

    /// <summary>Its sequence in the stream.</summary>
    public ulong Sequence => _delivery.StreamSequence;

    internal AckReplySubject AckReplySubject => _delivery;

    /// <summary>Says that the message is done.</summary>
    /// <param name="ct">Ends the wait for room, not the sending.</param>
    /// <returns>Done when the acknowledgement is on its way. It may get lost; <see cref="AckAndConfirmAsync"/> knows.</returns>
    public ValueTask AckAsync(CancellationToken ct = default) => AnswerAsync("+ACK"u8, ct);

    /// <summary>Says that the message is done and waits until the server has noted it.</summary>
    /// <param name="timeout">How long to wait; null for the context's.</param>
    /// <param name="ct">Gives up waiting.</param>
    /// <returns>Done when it will not be delivered again.</returns>
    /// <exception cref="NatsClientException">The server did not confirm in time, or the consumer is gone.</exception>
    public async ValueTask AckAndConfirmAsync(TimeSpan? timeout = null, CancellationToken ct = default)
    {
        var (requester, subject) = (Owner.Api.Requester, Text());
        if (_ackState?.TryClaim() == false) return;
        await requester.RequestAsync<string, ReadOnlyMemory<byte>>(subject, "+ACK", timeout ?? Owner.Api.Timeout, null, Utf8, null, ct).ConfigureAwait(false);
    }

    /// <summary>Asks for the message again.</summary>
    /// <param name="delay">Not before this time has passed; null for at once.</param>
    /// <param name="ct">Ends the wait for room, not the sending.</param>
    /// <returns>Done when it is on its way.</returns>
    public ValueTask NakAsync(TimeSpan? delay = null, CancellationToken ct = default)
    {
        if (delay is not { } wait || wait <= TimeSpan.Zero) return AnswerAsync("-NAK"u8, ct);
        return AnswerAsync(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"-NAK {{\"delay\":{wait.Ticks * TimeSpan.NanosecondsPerTick}}}")), ct);
    }

    /// <summary>Says that the message can never be done: it is not delivered again.</summary>
    /// <param name="reason">Why; told to those who observe the consumer.</param>
    /// <param name="ct">Ends the wait for room, not the sending.</param>
    /// <returns>Done when it is on its way.</returns>
    public ValueTask TerminateAsync(string? reason = null, CancellationToken ct = default)
        => string.IsNullOrEmpty(reason) ? AnswerAsync("+TERM"u8, ct) : AnswerAsync(Encoding.UTF8.GetBytes($"+TERM {reason}"), ct);

    /// <summary>Says that the work goes on: the time for the acknowledgement begins anew.</summary>
    /// <param name="ct">Ends the wait for room, not the sending.</param>
    /// <returns>Done when it is on its way.</returns>
    public ValueTask InProgressAsync(CancellationToken ct = default) => _ackState is { IsClaimed: true } ? default : SendAsync("+WPI"u8, ct);

    /// <summary>Says again and again that the work goes on, until the result is disposed.</summary>
    /// <param name="interval">How often: less than the consumer's ack wait. A third of it is a good choice.</param>
    /// <returns>Dispose it when the work is done, before or after the acknowledgement.</returns>
    public IDisposable KeepInProgress(TimeSpan interval)
    {
        var message = this;
        return new InProgressTimer(Owner.Session.Options.TimeProvider, interval, () => message.InProgressAsync());
    }

    /// <summary>The same message, of whose answers the first counts.</summary>
    internal JetStreamMessage<T> AnsweredOnce() => new(in this, new AckState());

    private static IPayloadSerializer<string> Utf8 => DefaultSerializerRegistry.Instance.Get<string>();

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
