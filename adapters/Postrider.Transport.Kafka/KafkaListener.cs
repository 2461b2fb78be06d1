using System.Threading.Channels;
using Confluent.Kafka;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Kafka;

/// <summary>Handles the messages of a topic as a member of a group, until it is disposed.</summary>
/// <remarks>One thread polls for messages continuously, because the group removes a member that does not poll; handlers run
/// elsewhere. A partition with too many unfinished messages is paused.</remarks>
internal sealed partial class KafkaListener : IAsyncDisposable
{
    // Handlers that have not ended by then are cancelled, and their messages returned.
    private static readonly TimeSpan s_drainTimeout = TimeSpan.FromSeconds(30);

    private readonly KafkaConnection _connection;
    private readonly KafkaBinding _binding;
    private readonly DeliveryProcessor _processor;
    private readonly SemaphoreSlim _room;
    // Limited by the pauses of the partitions.
    private readonly Channel<ReadMessage> _due = Channel.CreateUnbounded<ReadMessage>(new() { SingleReader = true });
    private readonly CancellationTokenSource _stopped = new();
    private readonly CancellationTokenSource _abandoned;
    private volatile KafkaPoller? _poller;
    private Task _handling = Task.CompletedTask;
    private Task _polling = Task.CompletedTask;
    private int _disposed;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    internal KafkaListener(KafkaConnection connection, KafkaBinding binding, EnvelopeReceiver receiver, MessageSender? deadLetters)
    {
        (_connection, _binding) = (connection, binding);
        _abandoned = new(Timeout.InfiniteTimeSpan, connection.Time);
        _processor = new DeliveryProcessor(binding, receiver, deadLetters, connection.Logger, connection.Time, _abandoned.Token);
        _room = new(binding.MaxConcurrency);
    }

    internal string Topic => _binding.Source;

    /// <summary>The error that prevents the listener from reading; null for none.</summary>
    internal string? Problem => _poller is { } poller ? poller.Problem : "the group was left after an error and is being joined again";

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the client rejects the settings.</exception>
    internal void Start()
    {
        var first = Create();
        _handling = Task.Run(HandleAllAsync, CancellationToken.None);
        _polling = Task.Factory.StartNew(() => PollAll(first), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Accepts no more messages, finishes those in progress, and commits. Unfinished messages are not committed: they are delivered
    /// again, to the partition's next owner.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            await _stopped.CancelAsync().ConfigureAwait(false);
            _abandoned.CancelAfter(s_drainTimeout);
        }

        await _handling.ConfigureAwait(false);
        await _polling.ConfigureAwait(false);
    }

    // On a separate thread. After an error that ends the consumer, another one is created.
    private void PollAll(KafkaPoller first)
    {
        for (var next = first; ; next = Create())
        {
            try
            {
                using var poller = next;
                poller.Run(() => _stopped.IsCancellationRequested, () => _handling.IsCompleted);
                return;
            }
            catch (KafkaException error)
            {
                _poller = null;
                LogEnded(_connection.Logger, Topic, error);
            }

            _stopped.Token.WaitHandle.WaitOne(_connection.Options.Retry.MaxPause);
            if (_stopped.IsCancellationRequested)
                return;
        }
    }

    private KafkaPoller Create()
    {
        try
        {
            return _poller = new KafkaPoller(_connection, _binding, _due.Writer);
        }
        catch (InvalidOperationException refused)
        {
            throw new PostriderException(PostriderError.Configuration, $"The binding of '{Topic}' contradicts the options of the transport: {refused.Message}", refused);
        }
    }

    private async Task HandleAllAsync()
    {
        try
        {
            await foreach (var message in _due.Reader.ReadAllAsync(_stopped.Token).ConfigureAwait(false))
            {
                await _room.WaitAsync(_stopped.Token).ConfigureAwait(false);
                // A handler that has ended may have made room in the meantime.
                if (_stopped.IsCancellationRequested || !message.Partition.TryBegin())
                    _room.Release();
                else
                    _ = HandleAsync(message);
            }
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            // Waiting messages are not committed, which returns them.
        }

        for (var i = 0; i < _binding.MaxConcurrency; i++)
            await _room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
    }

    // Handlers start in the order of the calls: messages with the same key wait in the order of the log.
    private async Task HandleAsync(ReadMessage message)
    {
        var delivery = new KafkaDelivery
        {
            Count = message.Attempt,
            Sequence = (ulong)message.Held.Offset,
            StoredAt = message.Message.Timestamp.Type == TimestampType.NotAvailable ? null : new DateTimeOffset(message.Message.Timestamp.UtcDateTime),
            Store = $"{Topic}/{message.Partition.Partition.Partition.Value}",
            Consumer = _binding.Group,
        };
        try
        {
            await _processor.HandleAsync(new Envelope
            {
                Destination = Topic,
                Headers = KafkaHeaderMapping.FromKafka(message.Message.Headers, message.Message.Key),
                Body = message.Message.Value,
                Delivery = delivery,
            }).ConfigureAwait(false);
            if (delivery.Settled.Kind is SettlementKind.Done or SettlementKind.DeadLetter)
                message.Partition.Complete(message.Held);
        }
        catch (Exception error)
        {
            // Settling cannot fail here: the failure came from the message. It is delivered again, as an attempt.
            LogFailed(_connection.Logger, message.Held.Offset, Topic, error);
            await delivery.RetryAsync(_connection.Options.Retry.MaxPause).ConfigureAwait(false);
        }
        finally
        {
            message.Partition.End();
            _room.Release();
        }

        if (delivery.Settled.Kind == SettlementKind.Retry)
            await AgainAsync(message with { Attempt = message.Attempt + 1 }, delivery.Settled.Delay).ConfigureAwait(false);
    }

    // The message is kept here, and its offset is not committed meanwhile.
    private async ValueTask AgainAsync(ReadMessage message, TimeSpan delay)
    {
        try
        {
            await Task.Delay(delay, _connection.Time, _stopped.Token).ConfigureAwait(false);
            if (!message.Partition.IsLost)
                _due.Writer.TryWrite(message);
        }
        catch (OperationCanceledException)
        {
            // The listener stops: the partition's next owner handles the message.
        }
    }

    [LoggerMessage(5, LogLevel.Error, "The consumer of topic '{Topic}' ended and will be created again.")]
    private static partial void LogEnded(ILogger logger, string topic, Exception error);

    [LoggerMessage(6, LogLevel.Error, "Message {Offset} of topic '{Topic}' could not be passed to a handler and will be attempted again.")]
    private static partial void LogFailed(ILogger logger, long offset, string topic, Exception error);
}
