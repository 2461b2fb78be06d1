namespace Postrider.Transport.RabbitMq;

/// <summary>The poison profile: limits that protect the server and the receivers from messages that cannot be handled.</summary>
public sealed record RabbitMqPoison
{
    /// <summary>The largest body in bytes that is sent. 16 MiB by default, which is the limit of RabbitMQ 4 (<c>max_message_size</c>); a
    /// larger one would close the channel.</summary>
    public int MaxBodyBytes { get; set; } = 16 * 1024 * 1024;

    /// <summary>Whether a message that reaches no queue is an error (<c>mandatory</c>). True by default.</summary>
    public bool RejectUnroutable { get; set; } = true;
}
