using Postrider.Broker.JetStream.Consumers.Delivery;

namespace Postrider.Broker.JetStream.Consumers.Pulling;

/// <summary>A pull request that waits for messages.</summary>
/// <remarks>Pooled by its <see cref="WaitQueue"/>. Moments in nanoseconds since 1970.</remarks>
internal sealed class WaitingRequest
{
    /// <summary>Where the messages go.</summary>
    public DeliveryTarget Target { get; } = new();

    /// <summary>As asked; <see cref="PullRequest.Batch"/> and <see cref="PullRequest.MaxBytes"/> count down.</summary>
    public PullRequest Request;

    /// <summary>Messages it got.</summary>
    public int Delivered { get; set; }

    /// <summary>When it ends; 0 = never.</summary>
    public long ExpiresAt { get; set; }

    /// <summary>When to say that there is nothing; 0 = never.</summary>
    public long HeartbeatAt { get; set; }

    /// <summary>The next request in the queue.</summary>
    internal WaitingRequest? Next { get; set; }
}
