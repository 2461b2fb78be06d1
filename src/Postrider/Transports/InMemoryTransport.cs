using System.Collections.Concurrent;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>A transport inside the process, for tests and for a monolith that may be split later.</summary>
/// <remarks>Thread-safe. Destinations are exact names. Listeners of one group take turns; a request goes to one listener.
/// Bodies are copied, as on a real connection.</remarks>
public sealed class InMemoryTransport : ITransport
{
    private readonly ConcurrentDictionary<string, Listener[]> _listeners = new(StringComparer.Ordinal);
    private readonly Lock _changing = new(); // guards read-modify-write of _listeners' values
    private int _turn;

    /// <inheritdoc/>
    public string Name => "memory";

    /// <inheritdoc/>
    public async ValueTask SendAsync(Envelope envelope, CancellationToken ct)
    {
        if (!_listeners.TryGetValue(envelope.Destination, out var listeners))
            return;

        foreach (var group in listeners.GroupBy(l => l.Binding.Group, StringComparer.Ordinal))
        {
            if (group.Key is not null)
                await Pick([.. group]).Receive(Copy(envelope, replyTo: null), ct).ConfigureAwait(false);
            else
            {
                foreach (var listener in group)
                    await listener.Receive(Copy(envelope, replyTo: null), ct).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask<Envelope> RequestAsync(Envelope envelope, CancellationToken ct)
    {
        if (!_listeners.TryGetValue(envelope.Destination, out var listeners) || listeners.Length == 0)
        {
            throw new PostriderException(
                PostriderError.NoListener, $"There is no listener at '{envelope.Destination}' on transport '{Name}'.");
        }

        var answer = await Pick(listeners).Receive(Copy(envelope, replyTo: "reply"), ct).ConfigureAwait(false);
        return answer is null
            ? throw new PostriderException(PostriderError.NoListener, $"The listener at '{envelope.Destination}' did not reply.")
            : Copy(answer, replyTo: null);
    }

    /// <inheritdoc/>
    public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        var listener = new Listener(this, binding, receiver);
        lock (_changing)
            _listeners[binding.Source] = [.. _listeners.GetValueOrDefault(binding.Source, []), listener];
        return new(listener);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var listener in _listeners.Values.SelectMany(l => l).ToArray())
            await listener.DisposeAsync().ConfigureAwait(false);
    }

    private Listener Pick(Listener[] listeners)
        => listeners[(int)((uint)Interlocked.Increment(ref _turn) % (uint)listeners.Length)];

    private static Envelope Copy(Envelope envelope, string? replyTo)
    {
        var headers = new Headers();
        foreach (var (name, value) in envelope.Headers)
            headers.Add(name, value);
        return new Envelope
        {
            Destination = envelope.Destination,
            ReplyTo = replyTo,
            Headers = headers,
            Body = envelope.Body.ToArray(),
        };
    }

    private sealed class Listener(InMemoryTransport owner, TransportBinding binding, EnvelopeReceiver receiver) : IAsyncDisposable
    {
        private readonly SemaphoreSlim _permits = new(binding.MaxConcurrency);
        private readonly CancellationTokenSource _stopped = new();
        private int _disposed; // 1: takes no more; 2: nothing is under way

        internal TransportBinding Binding => binding;

        internal async ValueTask<Envelope?> Receive(Envelope envelope, CancellationToken ct)
        {
            await _permits.WaitAsync(ct).ConfigureAwait(false);
            if (Volatile.Read(ref _disposed) == 2)
            {
                _permits.Release();
                throw new PostriderException(
                    PostriderError.NoListener, $"The listener at '{binding.Source}' on transport '{owner.Name}' was disposed.");
            }

            // As over a network: a caller that gives up stops waiting, and the receiver continues.
            var handling = Handle(envelope);
            return handling.IsCompleted ? await handling.ConfigureAwait(false) : await handling.AsTask().WaitAsync(ct).ConfigureAwait(false);
        }

        private async ValueTask<Envelope?> Handle(Envelope envelope)
        {
            try
            {
                return await receiver(envelope, _stopped.Token).ConfigureAwait(false);
            }
            finally
            {
                _permits.Release();
            }
        }

        public async ValueTask DisposeAsync()
        {
            if (Interlocked.Exchange(ref _disposed, 1) != 0)
                return;

            lock (owner._changing)
            {
                var left = owner._listeners.GetValueOrDefault(binding.Source, []).Where(l => l != this).ToArray();
                if (left.Length == 0)
                    owner._listeners.TryRemove(binding.Source, out _);
                else
                    owner._listeners[binding.Source] = left;
            }

            // Holding every permit means that nothing is under way. They are given back: a caller that found the listener just
            // before it was removed may still wait for one, and is informed that it came too late.
            for (var i = 0; i < binding.MaxConcurrency; i++)
                await _permits.WaitAsync(CancellationToken.None).ConfigureAwait(false);
            Volatile.Write(ref _disposed, 2);
            _permits.Release(binding.MaxConcurrency);
            _stopped.Dispose();
        }
    }
}
