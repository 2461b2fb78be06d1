using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker;

/// <summary>A subscriber that does nothing with its messages.</summary>
internal sealed class SilentSubscriber : IInternalSubscriber
{
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
    }
}
