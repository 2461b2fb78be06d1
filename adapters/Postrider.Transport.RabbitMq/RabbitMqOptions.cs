namespace Postrider.Transport.RabbitMq;

/// <summary>Options of a <see cref="RabbitMqTransport"/>: the server, and four profiles whose effective values are logged when the
/// transport connects.</summary>
public sealed record RabbitMqOptions
{
    /// <summary>The server: <c>amqp://user:password@host:5672/vhost</c>, or <c>amqps://</c> for TLS. By default a server on this machine
    /// with its guest account. User and password are read at each connection: set the property again when they have changed.</summary>
    public Uri Server { get; set; } = new("amqp://guest:guest@localhost:5672/");

    /// <summary>The name of the connection in the server's lists; null for none.</summary>
    public string? ClientName { get; set; }

    /// <summary>Limits of concurrent work.</summary>
    public RabbitMqThroughput Throughput { get; set; } = new();

    /// <summary>How failed sends and lost connections are repeated.</summary>
    public RabbitMqRetry Retry { get; set; } = new();

    /// <summary>Limits that protect the server and the receivers from messages that cannot be handled.</summary>
    public RabbitMqPoison Poison { get; set; } = new();

    /// <summary>What is logged and probed.</summary>
    public RabbitMqObservability Observability { get; set; } = new();

    /// <summary>Where the options can be changed, for messages: a configuration section, or this type.</summary>
    internal string Place { get; set; } = nameof(RabbitMqOptions);
}
