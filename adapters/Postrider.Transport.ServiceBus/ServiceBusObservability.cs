namespace Postrider.Transport.ServiceBus;

/// <summary>The observability profile: what is logged and probed.</summary>
public sealed record ServiceBusObservability
{
    /// <summary>Whether the effective values of the four profiles are logged when the transport connects. True by default.</summary>
    public bool LogProfiles { get; set; } = true;

    /// <summary>How long the health check waits for the service. 5 s by default.</summary>
    public TimeSpan ProbeTimeout { get; set; } = TimeSpan.FromSeconds(5);
}
