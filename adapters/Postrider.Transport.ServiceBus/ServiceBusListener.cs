using Amqp;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.Transport.ServiceBus;

/// <summary>Receives from a source until it is disposed, whatever happens to the connection and the source in the meantime.</summary>
internal sealed partial class ServiceBusListener : IAsyncDisposable
{
    // The session window of AMQPNetLite: the number of held messages stays below.
    private const int MaxPrefetch = 2000;

    // Handlers that have not ended by then are cancelled, and their messages returned.
    private static readonly TimeSpan s_drainTimeout = TimeSpan.FromSeconds(30);

    private readonly ServiceBusConnection _connection;
    private readonly ServiceBusBinding _binding;
    private readonly EntitySender? _copies;
    private readonly DeliveryProcessor _processor;
    private readonly SemaphoreSlim _room;
    private readonly CancellationTokenSource _stopped = new();
    private readonly CancellationTokenSource _abandoned;
    private volatile EntityReceiver? _receiver;
    private Task _running = Task.CompletedTask;
    private int _disposed;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    internal ServiceBusListener(ServiceBusConnection connection, ServiceBusBinding binding, EntitySender? copies, EnvelopeReceiver receiver, MessageSender? deadLetters, IDeadLetters? ownDeadLetters)
    {
        (_connection, _binding, _copies) = (connection, binding, copies);
        _abandoned = new(Timeout.InfiniteTimeSpan, connection.Time);
        _processor = new DeliveryProcessor(binding, Readable(receiver), deadLetters, connection.Logger, connection.Time, _abandoned.Token, ownDeadLetters) { KeepsDeadLetters = binding.UsesOwnDeadLetterQueue };
        _room = new(binding.MaxConcurrency);
    }

    internal string Source => _binding.Source;

    private bool IsDead => ServiceBusEntity.IsDeadLetterQueue(Source);

    /// <summary>Whether the link is open, as far as this side has been told. Links of sessions open and close.</summary>
    internal bool IsReceiving => _binding.Sessions || _receiver is { IsAlive: true };

    /// <summary>Opens the link.</summary>
    internal async ValueTask StartAsync(CancellationToken ct)
    {
        if (_binding.Sessions)
        {
            await CheckSessionsAsync(ct).ConfigureAwait(false);
            _running = Task.WhenAll(Enumerable.Range(0, _binding.MaxConcurrency).Select(_ => Task.Run(RunSessionsAsync, CancellationToken.None)));
            return;
        }

        var receiver = await OpenAsync(ct).ConfigureAwait(false);
        _running = Task.Run(() => RunAsync(receiver), CancellationToken.None);
    }

    /// <summary>Accepts no more messages, returns those that wait and finishes those in progress.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _abandoned.CancelAfter(s_drainTimeout);
            await _stopped.CancelAsync().ConfigureAwait(false);
        }

        await _running.ConfigureAwait(false);
    }

    private async Task RunAsync(EntityReceiver receiver)
    {
        // Handlers that are running when a receiver is lost continue while the next one receives.
        for (var current = receiver; current is not null; current = await ReopenAsync().ConfigureAwait(false))
        {
            await ReadAsync(current).ConfigureAwait(false);
            if (_stopped.IsCancellationRequested)
            {
                await WaitForHandlersAsync().ConfigureAwait(false);
                await current.DisposeAsync().ConfigureAwait(false);
                return;
            }

            LogLost(_connection.Logger, Source, current.EndedBy ?? "");
            await current.DisposeAsync().ConfigureAwait(false);
        }

        await WaitForHandlersAsync().ConfigureAwait(false);
    }

    private async Task WaitForHandlersAsync()
    {
        for (var i = 0; i < _binding.MaxConcurrency; i++)
            await _room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
    }

    // Runs until the receiver is lost or the listener stops.
    private async Task ReadAsync(EntityReceiver receiver)
    {
        try
        {
            while (await receiver.Arrived.WaitToReadAsync(_stopped.Token).ConfigureAwait(false))
            {
                await _room.WaitAsync(_stopped.Token).ConfigureAwait(false);
                // A handler that has ended may have made room in the meantime.
                if (!_stopped.IsCancellationRequested && receiver.Arrived.TryRead(out var message))
                    _ = HandleAsync(message, receiver);
                else
                    _room.Release();
            }
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            await StopAsync(receiver).ConfigureAwait(false);
        }
    }

    private async Task StopAsync(EntityReceiver receiver)
    {
        await receiver.StopAsync().ConfigureAwait(false);
        while (receiver.Arrived.TryRead(out var waiting))
            Return(waiting, receiver);
    }

    // Sessions in sequence, as many at a time as the binding allows.
    private async Task RunSessionsAsync()
    {
        var (policy, failures) = (Policy, 0);
        while (!_stopped.IsCancellationRequested)
        {
            try
            {
                if (failures > 0)
                    await Task.Delay(policy.DelayAfter(failures, TimeSpan.Zero), _connection.Time, _stopped.Token).ConfigureAwait(false);
                var receiver = await EntityReceiver.OpenAsync(_connection, Source, nextSession: true, _connection.Options.Throughput.PrefetchFactor, _stopped.Token).ConfigureAwait(false);
                failures = 0;
                await ReadSessionAsync(receiver).ConfigureAwait(false);
            }
            catch (Exception) when (_stopped.IsCancellationRequested || _connection.IsDisposed)
            {
                return;
            }
            catch (AmqpException none) when (ServiceBusErrors.ConditionOf(none) is ServiceBusErrors.Timeout or ServiceBusErrors.SessionCannotBeLocked)
            {
                // No session has messages.
            }
            catch (Exception error)
            {
                failures++;
                LogNotOpened(_connection.Logger, Source, error);
            }
        }
    }

    // Runs until the session has been idle for a while, its lock is lost or the listener stops.
    private async Task ReadSessionAsync(EntityReceiver receiver)
    {
        try
        {
            while (true)
            {
                using var idle = new CancellationTokenSource(_binding.SessionIdle, _connection.Time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(idle.Token, _stopped.Token);
                if (!await receiver.Arrived.WaitToReadAsync(either.Token).ConfigureAwait(false))
                    break;
                if (!receiver.Arrived.TryRead(out var message))
                    continue;
                // There is room for each session: a message that was taken is handled.
                await _room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                await HandleAsync(message, receiver).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            await StopAsync(receiver).ConfigureAwait(false);
        }

        await receiver.DisposeAsync().ConfigureAwait(false);
    }

    // Starts in the order of the calls: messages that wait for their key wait in the order of delivery.
    private async Task HandleAsync(ArrivedMessage message, EntityReceiver receiver)
    {
        var delivery = Delivery(message, receiver);
        try
        {
            ServiceBusHeaderMapping.TryBody(message.Message, out var body);
            await _processor.HandleAsync(new Envelope
            {
                Destination = IsDead ? Source : ServiceBusEntity.DestinationOf(Source),
                Headers = ServiceBusHeaderMapping.FromAmqp(message.Message, IsDead),
                Body = body,
                Delivery = delivery,
            }).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            LogNotSettled(_connection.Logger, Source, error);
            await GiveBackAsync(message, receiver).ConfigureAwait(false);
        }
        finally
        {
            _room.Release();
            if (!delivery.IsHeld)
                receiver.AddCredit();
        }
    }

    // A lost link returns the message when its lock expires. If only the settlement failed, because its copy could not be stored, the
    // message would stay with this receiver: after a pause it is returned as an attempt.
    private async ValueTask GiveBackAsync(ArrivedMessage message, EntityReceiver receiver)
    {
        try
        {
            if (!receiver.IsAlive)
                return;
            await Task.Delay(_connection.Options.Retry.MaxPause, _connection.Time, _stopped.Token).ConfigureAwait(false);
            receiver.Abandon(message);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            // The listener ends, or the link was lost in the meantime.
        }
    }

    private void Return(ArrivedMessage message, EntityReceiver receiver)
    {
        try
        {
            receiver.Release(message);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            LogNotSettled(_connection.Logger, Source, gone);
        }
    }

    private ServiceBusDelivery Delivery(ArrivedMessage message, EntityReceiver receiver) => new(message, receiver, _copies, _connection, _binding)
    {
        Count = ServiceBusHeaderMapping.CountOf(message.Message, IsDead),
        Sequence = (ulong)Math.Max(0, ServiceBusHeaderMapping.Sequence(message.Message)),
        StoredAt = ServiceBusHeaderMapping.Time(message.Message, "x-opt-enqueued-time"),
        Store = Source,
        Consumer = receiver.Session,
    };

    // No serializer can read a message without bytes.
    private static EnvelopeReceiver Readable(EnvelopeReceiver receiver) => (envelope, ct) =>
    {
        if (envelope.Delivery is not ServiceBusDelivery { HasBytes: false } delivery)
            return receiver(envelope, ct);
        delivery.Fail(new FormatException("The body is an AMQP value that is neither bytes nor text, or a sequence: send it as data."), isUnreadable: true);
        return default;
    };

    private RetryPolicy Policy => new() { BaseDelay = TimeSpan.FromMilliseconds(100), MaxDelay = _connection.Options.Retry.MaxPause };

    private async ValueTask<EntityReceiver> OpenAsync(CancellationToken ct)
    {
        var prefetch = (int)Math.Min(MaxPrefetch, (long)_binding.MaxConcurrency * _connection.Options.Throughput.PrefetchFactor);
        return _receiver = await EntityReceiver.OpenAsync(_connection, Source, nextSession: false, prefetch, ct).ConfigureAwait(false);
    }

    // A request to which a missing source responds with an error; accepting a session would wait until there is one.
    private async ValueTask CheckSessionsAsync(CancellationToken ct)
    {
        var connection = await _connection.OpenAsync(ct).ConfigureAwait(false);
        await ServiceBusProbe.AskAsync(connection, Source, ct).ConfigureAwait(false);
    }

    // Null when the listener was stopped.
    private async Task<EntityReceiver?> ReopenAsync()
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await Task.Delay(Policy.DelayAfter(attempt, TimeSpan.Zero), _connection.Time, _stopped.Token).ConfigureAwait(false);
                return await OpenAsync(_stopped.Token).ConfigureAwait(false);
            }
            catch (Exception) when (_stopped.IsCancellationRequested || _connection.IsDisposed)
            {
                return null;
            }
            catch (Exception error)
            {
                LogNotOpened(_connection.Logger, Source, error);
            }
        }
    }

    [LoggerMessage(3, LogLevel.Warning, "The link to '{Source}' was lost ({Reason}) and will be opened again.")]
    private static partial void LogLost(ILogger logger, string source, string reason);

    [LoggerMessage(4, LogLevel.Warning, "Receiving from '{Source}' failed; the attempt will be repeated.")]
    private static partial void LogNotOpened(ILogger logger, string source, Exception error);

    [LoggerMessage(5, LogLevel.Warning, "A message of '{Source}' could not be settled and will be delivered again.")]
    private static partial void LogNotSettled(ILogger logger, string source, Exception error);
}
