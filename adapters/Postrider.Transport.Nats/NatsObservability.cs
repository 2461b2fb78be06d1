namespace Postrider.Transport.Nats;

/// <summary>The observability profile: what is logged and probed.</summary>
public sealed record NatsObservability
{
    /// <summary>Whether the effective values of the four profiles are logged when the transport is first used. True by default.</summary>
    public bool LogProfiles { get; set; } = true;

    /// <summary>How long the health check waits for the server. 5 s by default.</summary>
    public TimeSpan ProbeTimeout { get; set; } = TimeSpan.FromSeconds(5);
}
