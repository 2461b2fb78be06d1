using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams.Queues;

/// <summary>Requests that came while streams were still being read from the disk: they are answered afterwards.</summary>
internal sealed class DeferredRequests
{
    // As many as nats-server queues.
    private const int MaxHeld = 10_000;

    // Guards the list; nothing is called under it.
    private readonly Lock _gate = new();
    private List<(IInternalSubscriber Handler, OwnedMessage Message)>? _held = [];

    /// <summary>Whether every stream is there.</summary>
    public bool IsDone => Volatile.Read(ref _held) is null;

    /// <summary>Keeps a request for later.</summary>
    /// <returns>False when it is to be handled now.</returns>
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

    /// <summary>Handles what was kept; from now on nothing is kept.</summary>
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
