using Microsoft.Extensions.Logging;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>A listener of an <see cref="InMemoryTransport"/>.</summary>
internal sealed partial class InMemoryListener : IAsyncDisposable
{
    private readonly InMemoryTransport _owner;
    private readonly EnvelopeReceiver _receiver;
    private readonly DeliveryProcessor? _processor;
    private readonly SemaphoreSlim _permits;
    private readonly CancellationTokenSource _stopped = new();
    private long _sequence;
    private int _disposed; // 1: accepts no more messages; 2: no handling is running

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    internal InMemoryListener(InMemoryTransport owner, TransportBinding binding, EnvelopeReceiver receiver)
    {
        (_owner, Binding, _receiver) = (owner, binding, receiver);
        if (binding is AtLeastOnceBinding kept)
        {
            var deadLetters = kept.DeadLetter is { } deadLetter ? owner.OpenDeadLetterSender(deadLetter) : null;
            _processor = new DeliveryProcessor(kept, receiver, deadLetters, owner.Logger, owner.Time, _stopped.Token);
        }

        _permits = new(binding.MaxConcurrency);
    }

    internal TransportBinding Binding { get; }

    internal async ValueTask<Envelope?> ReceiveAsync(Envelope envelope, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (!_permits.Wait(0, CancellationToken.None))
            await _permits.WaitAsync(ct).ConfigureAwait(false);
        if (Volatile.Read(ref _disposed) == 2)
        {
            _permits.Release();
            throw new PostriderException(
                PostriderError.NoListener, $"The listener at '{Binding.Source}' on transport '{_owner.Name}' was disposed.");
        }

        // As over a network: a caller that gives up stops waiting, and the receiver continues.
        var handling = _processor is null || envelope.ReplyTo is not null ? HandleAsync(envelope) : HandleKeptAsync(envelope, count: 1, (ulong)Interlocked.Increment(ref _sequence));
        return handling.IsCompleted ? await handling.ConfigureAwait(false) : await handling.AsTask().WaitAsync(ct).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;

        _owner.Remove(this);

        // Holding every permit means that no handling is running. They are returned: a caller that found the listener just
        // before it was removed may still wait for one, and is then told that the listener is gone.
        for (var i = 0; i < Binding.MaxConcurrency; i++)
            await _permits.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        Volatile.Write(ref _disposed, 2);
        _permits.Release(Binding.MaxConcurrency);
        await _stopped.CancelAsync().ConfigureAwait(false);
        _stopped.Dispose();
    }

    [LoggerMessage(17, LogLevel.Warning, "A delayed message to '{Destination}' was lost: its listener is gone.")]
    internal static partial void LogGone(ILogger logger, string destination, Exception error);

    private async ValueTask<Envelope?> HandleAsync(Envelope envelope)
    {
        try
        {
            return await _receiver(envelope, _stopped.Token).ConfigureAwait(false);
        }
        finally
        {
            _permits.Release();
        }
    }

    private async ValueTask<Envelope?> HandleKeptAsync(Envelope envelope, long count, ulong sequence)
    {
        var delivery = new Delivery { Count = count, Sequence = sequence, StoredAt = _owner.Time.GetUtcNow(), Store = Binding.Source };
        try
        {
            await _processor!.HandleAsync(new Envelope { Destination = envelope.Destination, Headers = envelope.Headers, Body = envelope.Body, Delivery = delivery }).ConfigureAwait(false);
        }
        finally
        {
            _permits.Release();
        }

        _owner.Observer?.OnSettled(envelope, delivery.Settled, (Binding as AtLeastOnceBinding)?.DeadLetter);
        if (delivery.Settled.Kind == SettlementKind.Retry)
            _ = RetryAsync(envelope, count + 1, sequence, delivery.Settled.Delay);
        return null;
    }

    private async Task RetryAsync(Envelope envelope, long count, ulong sequence, TimeSpan delay)
    {
        // A message that waits for another attempt when the listener ends is lost, like everything in memory.
        if (Volatile.Read(ref _disposed) != 0)
            return;
        // Started before the wait: when the clock ends it, the attempt already counts as running, whatever thread it continues on.
        var work = _owner.Begin(envelope);
        try
        {
            await LongDelay.WaitAsync(delay, _owner.Time, CancellationToken.None).ConfigureAwait(false);
            await _permits.WaitAsync(CancellationToken.None).ConfigureAwait(false);
            if (Volatile.Read(ref _disposed) != 0)
                _permits.Release();
            else
                await HandleKeptAsync(envelope, count, sequence).ConfigureAwait(false);
        }
        finally
        {
            _owner.End(work);
        }
    }

    private sealed class Delivery : MessageDelivery
    {
        internal Settlement Settled { get; private set; }

        protected internal override ValueTask SettleAsync(Settlement settlement)
        {
            Settled = settlement;
            return default;
        }
    }
}
