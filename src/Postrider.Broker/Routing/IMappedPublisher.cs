using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>A client whose messages get another subject by a mapping.</summary>
internal interface IMappedPublisher
{
    /// <summary>Checks and routes a publish frame with its new subject.</summary>
    /// <param name="frame">The frame; valid during the call.</param>
    /// <param name="batch">The client's batch.</param>
    void PublishMapped(scoped in Frame frame, SendBatch batch);
}
