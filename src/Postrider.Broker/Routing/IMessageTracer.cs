using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>Publishes messages of clients whose headers ask for a trace.</summary>
internal interface IMessageTracer
{
    /// <summary>Publishes the message and its trace.</summary>
    /// <param name="client">The client.</param>
    /// <param name="frame">A publish frame with headers.</param>
    /// <param name="batch">The client's batch.</param>
    /// <returns>False when it is an ordinary message; nothing was done with it in this case.</returns>
    bool TryPublish(IPublishingClient client, scoped in Frame frame, SendBatch batch);

    /// <summary>Publishes the trace of a message that is larger than the client may send, if the message requests one.</summary>
    /// <param name="client">The client.</param>
    /// <param name="bytes">The rejected frame, as much of it as has arrived.</param>
    /// <param name="batch">The client's batch.</param>
    void TraceOversized(IPublishingClient client, ReadOnlySpan<byte> bytes, SendBatch batch);
}
