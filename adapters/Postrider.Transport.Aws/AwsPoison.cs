namespace Postrider.Transport.Aws;

/// <summary>The poison profile: limits that protect the service and the receivers from messages that cannot be handled.</summary>
public sealed record AwsPoison
{
    /// <summary>The largest body in bytes that is sent; 1 MiB by default, the maximum of SQS. With its headers a message must
    /// fit in 1 MiB for a queue and in 256 KiB for a topic or an event bus, and a body that is not text takes a third more.</summary>
    public int MaxBodyBytes { get; set; } = SqsLimits.MaxMessageBytes;

    /// <summary>Whether a queue with a dead-letter queue gets a redrive policy as well, so that the service moves a message away that was
    /// received twice more than the binding attempts it: one that ends its process each time and whose dead letter cannot be stored. True
    /// by default.</summary>
    public bool ServerRedrive { get; set; } = true;
}
