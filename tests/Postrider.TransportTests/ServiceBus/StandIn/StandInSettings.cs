namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>How a queue or subscription is created.</summary>
internal sealed record StandInSettings
{
    public int MaxDeliveryCount { get; init; } = 10;

    public TimeSpan LockDuration { get; init; } = TimeSpan.FromSeconds(30);

    public bool RequiresSession { get; init; }

    public bool DetectsDuplicates { get; init; }

    /// <summary>Whether a message whose time to live has passed becomes a dead letter.</summary>
    public bool KeepsExpired { get; init; }

    public int MaxMessages { get; init; } = int.MaxValue;
}
