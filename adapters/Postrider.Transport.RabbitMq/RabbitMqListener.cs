using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transports;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>Consumes a queue until it is disposed, whatever happens to the connection and the queue in the meantime.</summary>
internal sealed partial class RabbitMqListener : IAsyncDisposable
{
    // Handlers that have not ended by then are cancelled, and their messages returned.
    private static readonly TimeSpan s_drainTimeout = TimeSpan.FromSeconds(30);

    private readonly RabbitMqConnection _connection;
    private readonly RabbitMqPublisher _publisher;
    private readonly RabbitMqBinding _binding;
    private readonly RabbitMqTopology _topology;
    private readonly DeliveryProcessor _processor;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _room;
    private readonly CancellationTokenSource _stopped = new();
    private readonly CancellationTokenSource _abandoned;
    private volatile RabbitMqConsumer? _consumer;
    private Task _running = Task.CompletedTask;
    private int _disposed;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    internal RabbitMqListener(
        RabbitMqConnection connection, RabbitMqPublisher publisher, RabbitMqBinding binding, EnvelopeReceiver receiver, MessageSender? deadLetters, TimeProvider time)
    {
        (_connection, _publisher, _binding, _time) = (connection, publisher, binding, time);
        _abandoned = new(Timeout.InfiniteTimeSpan, time);
        _processor = new DeliveryProcessor(binding, receiver, deadLetters, connection.Logger, time, _abandoned.Token);
        _topology = new RabbitMqTopology(connection, binding);
        _room = new(binding.MaxConcurrency);
    }

    internal string Queue => _binding.Source;

    /// <summary>Whether the server has the consumer, as far as this side has been told.</summary>
    internal bool IsConsuming => _consumer is { IsAlive: true };

    /// <summary>Declares the topology and starts to consume.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the server cannot be reached or rejects the account, or
    /// the binding does not match it; <see cref="PostriderError.NoListener"/>: a queue that the binding does not declare is missing.</exception>
    internal async ValueTask StartAsync(CancellationToken ct)
    {
        RabbitMqConsumer consumer;
        try
        {
            consumer = await OpenAsync(ct).ConfigureAwait(false);
        }
        catch (BrokerUnreachableException silent)
        {
            throw new PostriderException(
                PostriderError.Configuration,
                $"{_connection.Describe(silent)} Check {nameof(RabbitMqOptions.Server)} in {_connection.Options.Place}, and that the server runs.",
                silent);
        }

        _running = Task.Run(() => RunAsync(consumer), CancellationToken.None);
    }

    /// <summary>Accepts no more messages, returns those that wait and finishes those in progress.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            await _stopped.CancelAsync().ConfigureAwait(false);
            _abandoned.CancelAfter(s_drainTimeout);
        }

        await _running.ConfigureAwait(false);
    }

    private async Task RunAsync(RabbitMqConsumer consumer)
    {
        // What runs when a consumer is lost goes on beside the next one.
        for (var current = consumer; current is not null; current = await ReopenAsync().ConfigureAwait(false))
        {
            await ReadAsync(current).ConfigureAwait(false);
            if (_stopped.IsCancellationRequested)
            {
                await WaitForHandlersAsync().ConfigureAwait(false);
                await current.ReleaseAsync().ConfigureAwait(false);
                return;
            }

            LogLost(_connection.Logger, Queue, current.EndedBy);
            await current.ReleaseAsync().ConfigureAwait(false);
        }

        await WaitForHandlersAsync().ConfigureAwait(false);
    }

    private async Task WaitForHandlersAsync()
    {
        for (var i = 0; i < _binding.MaxConcurrency; i++)
            await _room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
    }

    // Runs until the consumer is lost or the listener stops.
    private async Task ReadAsync(RabbitMqConsumer consumer)
    {
        try
        {
            while (await AwaitAsync(consumer, consumer.Arrived.WaitToReadAsync(_stopped.Token)).ConfigureAwait(false))
            {
                await AwaitAsync(consumer, RoomAsync()).ConfigureAwait(false);
                // A handler that has ended may have made room in the meantime.
                if (!_stopped.IsCancellationRequested && consumer.Channel.IsOpen && consumer.Arrived.TryRead(out var message))
                {
                    _ = HandleAsync(message, consumer);
                    continue;
                }

                _room.Release();
                // The server delivers again what a lost channel had delivered.
                if (!consumer.Channel.IsOpen)
                    break;
            }
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            consumer.Acknowledgements.ReaderWaits();
            await consumer.CancelAsync().ConfigureAwait(false);
            while (consumer.Arrived.TryRead(out var waiting))
                await ReturnAsync(waiting, consumer).ConfigureAwait(false);
        }

        consumer.Acknowledgements.ReaderWaits();
    }

    // Acknowledgements do not wait for the reader when it waits itself.
    private static ValueTask<bool> AwaitAsync(RabbitMqConsumer consumer, ValueTask<bool> ready)
        => ready.IsCompleted ? ready : AwaitCoreAsync(consumer.Acknowledgements, ready);

    private static async ValueTask<bool> AwaitCoreAsync(RabbitMqAcknowledgements acknowledgements, ValueTask<bool> ready)
    {
        acknowledgements.ReaderWaits();
        var result = await ready.ConfigureAwait(false);
        acknowledgements.ReaderContinues();
        return result;
    }

    private ValueTask<bool> RoomAsync() => new(_room.WaitAsync(Timeout.InfiniteTimeSpan, _stopped.Token));

    // Starts in the order of the calls: messages that wait for their key wait in the order of delivery.
    private async Task HandleAsync(ArrivedMessage message, RabbitMqConsumer consumer)
    {
        consumer.Use();
        try
        {
            var delivery = Delivery(message, consumer);
            await _processor.HandleAsync(new Envelope
            {
                Destination = message.Exchange.Length == 0 ? message.RoutingKey : $"{message.Exchange}/{message.RoutingKey}",
                Headers = RabbitMqHeaderMapping.FromAmqp(message.Properties),
                Body = message.Body,
                Delivery = delivery,
            }).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            LogNotSettled(_connection.Logger, Queue, _connection.Describe(error), _connection.StackOf(error));
            await GiveBackAsync(message, consumer).ConfigureAwait(false);
        }
        finally
        {
            await consumer.ReleaseAsync().ConfigureAwait(false);
            _room.Release();
        }
    }

    // A lost channel has already returned the message. If only the settlement failed, because a delay queue could not be declared
    // or a queue is full, the message would stay with this consumer: after a pause it is returned as an attempt.
    private async ValueTask GiveBackAsync(ArrivedMessage message, RabbitMqConsumer consumer)
    {
        try
        {
            if (!consumer.Channel.IsOpen)
                return;
            await Task.Delay(_connection.Options.Retry.MaxPause, _time, _stopped.Token).ConfigureAwait(false);
            await consumer.RejectAsync(message.Tag).ConfigureAwait(false);
        }
        catch (Exception gone) when (RabbitMqErrors.IsLost(gone))
        {
            // The listener ends, or the channel was lost in the meantime: closing it returns the message.
        }
    }

    private async ValueTask ReturnAsync(ArrivedMessage message, RabbitMqConsumer consumer)
    {
        try
        {
            await Delivery(message, consumer).ReturnAsync().ConfigureAwait(false);
        }
        catch (Exception error)
        {
            LogNotSettled(_connection.Logger, Queue, _connection.Describe(error), _connection.StackOf(error));
        }
    }

    private RabbitMqDelivery Delivery(ArrivedMessage message, RabbitMqConsumer consumer) => new(message, consumer, _publisher, _binding, _connection.ReturnsAreFree)
    {
        Count = message.Count,
        Store = Queue,
        StoredAt = message.Properties.IsTimestampPresent() ? DateTimeOffset.FromUnixTimeSeconds(Math.Clamp(message.Properties.Timestamp.UnixTime, 0, 253_402_300_799)) : null,
    };

    private async ValueTask<RabbitMqConsumer> OpenAsync(CancellationToken ct)
    {
        if (_binding.DeclaresTopology)
            await _topology.ApplyAsync(ct).ConfigureAwait(false);
        else
            await _topology.VerifyAsync(ct).ConfigureAwait(false);
        var channel = await _connection.OpenChannelAsync(null, ct).ConfigureAwait(false);
        try
        {
            var prefetch = Math.Min(ushort.MaxValue, (long)_binding.MaxConcurrency * Math.Max(1, _connection.Options.Throughput.PrefetchFactor));
            await channel.BasicQosAsync(0, (ushort)prefetch, false, ct).ConfigureAwait(false);
            var consumer = new RabbitMqConsumer(channel, (int)prefetch);
            await channel.BasicConsumeAsync(Queue, autoAck: false, consumer, ct).ConfigureAwait(false);
            return _consumer = consumer;
        }
        catch
        {
            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    // Null when the listener was stopped.
    private async Task<RabbitMqConsumer?> ReopenAsync()
    {
        var policy = new RetryPolicy { BaseDelay = TimeSpan.FromMilliseconds(100), MaxDelay = _connection.Options.Retry.MaxPause };
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await Task.Delay(policy.DelayAfter(attempt, TimeSpan.Zero), _time, _stopped.Token).ConfigureAwait(false);
                var again = await OpenAsync(_stopped.Token).ConfigureAwait(false);
                LogOpenedAgain(_connection.Logger, Queue);
                return again;
            }
            catch (Exception) when (_stopped.IsCancellationRequested || _connection.IsDisposed)
            {
                return null;
            }
            catch (Exception error)
            {
                LogNotOpened(_connection.Logger, Queue, _connection.Describe(error), _connection.StackOf(error));
            }
        }
    }

    [LoggerMessage(3, LogLevel.Warning, "The consumer of queue '{Queue}' was lost ({Reason}) and will be opened again.")]
    private static partial void LogLost(ILogger logger, string queue, string reason);

    [LoggerMessage(4, LogLevel.Warning, "Queue '{Queue}' could not be consumed; the attempt will be repeated. {Reason}")]
    private static partial void LogNotOpened(ILogger logger, string queue, string reason, Exception? error);

    [LoggerMessage(5, LogLevel.Warning, "A message of queue '{Queue}' could not be settled and will be delivered again. {Reason}")]
    private static partial void LogNotSettled(ILogger logger, string queue, string reason, Exception? error);

    [LoggerMessage(6, LogLevel.Information, "Queue '{Queue}' is consumed again.")]
    private static partial void LogOpenedAgain(ILogger logger, string queue);
}
