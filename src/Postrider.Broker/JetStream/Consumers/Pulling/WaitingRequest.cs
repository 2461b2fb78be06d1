using Postrider.Broker.JetStream.Consumers.Delivery;

namespace Postrider.Broker.JetStream.Consumers.Pulling;

/// <summary>A pull request that waits for messages.</summary>
/// <remarks>Pooled by its <see cref="WaitQueue"/>. Times in nanoseconds since 1970.</remarks>
internal sealed class WaitingRequest
{
    /// <summary>Where its messages are delivered.</summary>
    public DeliveryTarget Target { get; } = new();

    /// <summary>The request; its <see cref="PullRequest.Batch"/> and <see cref="PullRequest.MaxBytes"/> count down.</summary>
    public PullRequest Request;

    /// <summary>The number of messages delivered to it.</summary>
    public int Delivered { get; set; }

    /// <summary>When it expires; 0 = never.</summary>
    public long ExpiresAt { get; set; }

    /// <summary>When the next heartbeat is due; 0 = never.</summary>
    public long HeartbeatAt { get; set; }

    /// <summary>The next request in the queue.</summary>
    internal WaitingRequest? Next { get; set; }
}
