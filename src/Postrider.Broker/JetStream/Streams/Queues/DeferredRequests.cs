using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Requests that arrived while streams were still being recovered: they are handled afterwards.</summary>
internal sealed class DeferredRequests
{
    // The limit of nats-server's queue.
    private const int MaxHeld = 10_000;

    // Guards the list; nothing is called while it is held.
    private readonly Lock _gate = new();
    private List<(IInternalSubscriber Handler, OwnedMessage Message)>? _held = [];

    /// <summary>Whether every stream has been recovered.</summary>
    public bool IsDone => Volatile.Read(ref _held) is null;

    /// <summary>Holds a request for later.</summary>
    /// <returns>False when it has to be handled now.</returns>
    public bool TryHold(
        IInternalSubscriber handler,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload)
    {
        if (IsDone) return false;
        lock (_gate)
        {
            if (_held is null || _held.Count == MaxHeld) return _held is not null;
            _held.Add((handler, new OwnedMessage(publisher, subject, replyTo, headers, payload)));
            return true;
        }
    }

    /// <summary>Handles the requests that were held; from now on none is held.</summary>
    public void Complete(SendBatchSet batches)
    {
        List<(IInternalSubscriber Handler, OwnedMessage Message)> held;
        lock (_gate)
        {
            held = _held ?? [];
            Volatile.Write(ref _held, null);
        }
        foreach (var request in held)
        {
            batches.Run(request, static (it, batch) => it.Message.Pass(it.Handler, batch));
        }
    }
}
