namespace Postrider.Transport.ServiceBus;

/// <summary>The poison profile: limits that protect the service and the receivers from messages that cannot be handled.</summary>
public sealed record ServiceBusPoison
{
    /// <summary>The largest body in bytes that is sent. 240 KiB by default: with its headers a message must fit into 256 KiB in the
    /// standard tier, and into the queue's limit in the premium tier. The service reports its limit when a queue is opened, and a message
    /// that exceeds it with its headers is rejected individually.</summary>
    public int MaxBodyBytes { get; set; } = 240 * 1024;
}
