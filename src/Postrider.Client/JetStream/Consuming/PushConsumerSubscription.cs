// Hot path: ServerConnection -> this; the reader -> this. Allocations: none.
using Postrider.Client.JetStream.Api;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Receives what a consumer pushes, and responds to flow control when the reader has read up to it.</summary>
internal sealed class PushConsumerSubscription<T> : ConsumerSubscription<T>
{
    private readonly string _stream;
    private readonly string _consumer;
    private readonly TimeSpan _heartbeat;
    private readonly ITimer _timer;

    // Guards the flow control request without response.
    private readonly Lock _gate = new();
    private byte[]? _question;
    private ulong _answerAt;
    private ulong _read;
    private int _checking;

    public PushConsumerSubscription(
        ApiClient api, string stream, string consumer, string deliverSubject, string? deliverGroup, TimeSpan heartbeat, Serializer<T> serializer, bool isOrdered)
        : base(api, deliverSubject, deliverGroup, serializer, isOrdered)
    {
        _stream = stream;
        _consumer = consumer;
        _heartbeat = heartbeat;
        _timer = Time.CreateTimer(static state => ((PushConsumerSubscription<T>)state!).OnTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public override void Start()
    {
        base.Start();
        if (_heartbeat > TimeSpan.Zero) _timer.Change(_heartbeat, _heartbeat);
    }

    public override async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override bool OnMessage(in Frame frame) => false;

    protected override void OnRead(int sizeBytes)
    {
        Volatile.Write(ref _read, _read + 1);
        if (_question is not null) AnswerIfRead();
    }

    protected override void OnReconnected()
    {
        // Messages pushed in the meantime were lost.
        if (IsOrdered) Restart("The connection was lost.");
    }

    protected override void OnStatus(int status, in Frame frame)
    {
        if (status == 409 && !IsOrdered) Finish(new NatsClientException(NatsErrorCode.ConsumerEnded, $"Consumer '{_consumer}' of stream '{_stream}' was deleted."));
        if (status != 100) return;
        // A flow control request; or a heartbeat, which repeats a request whose response was lost.
        if (!frame.ReplyTo.IsEmpty) Ask(frame.ReplyTo);
        else OnHeartbeat(frame.Headers);
    }

    private void OnHeartbeat(ReadOnlySpan<byte> headers)
    {
        if (IsOrdered && PullStatus.Number(headers, "Nats-Last-Consumer"u8) is { } last && (ulong)last > Received)
        {
            Restart($"Delivery {last} was sent, but only {Received} were received.");
            return;
        }
        var block = new HeaderBlock(headers);
        while (block.TryReadNext(out var name, out var value))
            if (name.SequenceEqual("Nats-Consumer-Stalled"u8)) Ask(value);
    }

    private void Ask(ReadOnlySpan<byte> question)
    {
        lock (_gate)
        {
            _question = question.ToArray();
            _answerAt = Received;
        }
        AnswerIfRead();
    }

    private void AnswerIfRead()
    {
        byte[]? question;
        lock (_gate)
        {
            if (_question is null || Volatile.Read(ref _read) < _answerAt) return;
            (question, _question) = (_question, null);
        }
        try
        {
            var sent = Session.PublishRawAsync(question, default, CancellationToken.None);
            if (sent.IsFaulted) sent.GetAwaiter().GetResult();
        }
        catch (NatsClientException error)
        {
            Finish(error);
        }
    }

    private void OnTime()
    {
        if (IsFinished || Silence <= 2 * _heartbeat) return;
        if (IsOrdered) Restart($"The server was silent for {Silence.TotalSeconds:0.#} s.");
        else _ = CheckAsync();
    }

    private async Task CheckAsync()
    {
        if (Interlocked.Exchange(ref _checking, 1) != 0) return;
        try
        {
            await Api.CallAsync($"CONSUMER.INFO.{_stream}.{_consumer}", JetStreamJson.Default.ConsumerInfo, CancellationToken.None).ConfigureAwait(false);
            OnServerActivity();
        }
        catch (JetStreamException gone) when (gone.ErrorCode is JetStreamErrors.ConsumerNotFound or JetStreamErrors.StreamNotFound)
        {
            Finish(new NatsClientException(NatsErrorCode.ConsumerEnded, $"Consumer '{_consumer}' of stream '{_stream}' no longer exists: {gone.Description}.", gone));
        }
        catch (NatsClientException)
        {
            // The cluster may be without a leader: the next tick tries again.
        }
        finally
        {
            Volatile.Write(ref _checking, 0);
        }
    }
}
