// Hot path: Router -> this -> Consumer.Pull, per pull. Allocations: none.
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Receives the pull requests of one consumer.</summary>
internal sealed class PullRequestHandler(Consumer consumer) : IInternalSubscriber
{
    /// <inheritdoc/>
    public bool ServesClients => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        if (!replyTo.IsEmpty) consumer.Pull(replyTo, headers, payload, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => consumer.OnFailed(error);
}
