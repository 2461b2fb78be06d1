namespace Postrider.Transport.Kafka;

/// <summary>Options of a <see cref="KafkaTransport"/>: the servers, the account, and four profiles whose effective values are logged when
/// the transport connects.</summary>
public sealed record KafkaOptions
{
    // The port on which Event Hubs supports Kafka's protocol, with TLS.
    private const int EventHubsPort = 9093;

    /// <summary>Some of the servers: <c>host:port</c>, separated by commas; the client discovers the others. By default a server on this
    /// machine.</summary>
    public string Servers { get; set; } = "localhost:9092";

    /// <summary>The name of the process in the servers' logs and quotas; null for none.</summary>
    public string? ClientName { get; set; }

    /// <summary>TLS and the account.</summary>
    public KafkaSecurity Security { get; set; } = new();

    /// <summary>How messages are collected into batches, and limits of concurrent work.</summary>
    public KafkaThroughput Throughput { get; set; } = new();

    /// <summary>How long sends are repeated, and timeouts of the group.</summary>
    public KafkaRetry Retry { get; set; } = new();

    /// <summary>Limits that protect the servers and the receivers from messages that cannot be handled.</summary>
    public KafkaPoison Poison { get; set; } = new();

    /// <summary>What is logged and probed.</summary>
    public KafkaObservability Observability { get; set; } = new();

    /// <summary>Whether the servers are Azure Event Hubs: <see cref="UseEventHubs"/>.</summary>
    public bool IsEventHubs { get; private set; }

    /// <summary>Where the options can be changed, for messages: a configuration section, or this type.</summary>
    internal string Place { get; set; } = nameof(KafkaOptions);

    /// <summary>Uses the servers, the account and the limits of an Azure Event Hubs namespace: TLS, <c>$ConnectionString</c>, gzip and
    /// bodies of 1,000,000 bytes. Change profiles after this call, not before.</summary>
    /// <param name="connectionString">The connection string of the namespace, or of one of its hubs:
    /// <c>Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=…;SharedAccessKey=…</c>.</param>
    /// <returns>These options.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is not such a connection string. The text does
    /// not repeat it, because it holds a key.</exception>
    /// <remarks>Source: Microsoft's pages "Event Hubs for Apache Kafka" and "recommended configurations". Not run against the
    /// service.</remarks>
    public KafkaOptions UseEventHubs(string connectionString)
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        var endpoint = connectionString.Split(';').Select(static part => part.Trim()).FirstOrDefault(static part => part.StartsWith("Endpoint=", StringComparison.OrdinalIgnoreCase));
        if (endpoint is null || !Uri.TryCreate(endpoint["Endpoint=".Length..], UriKind.Absolute, out var address) || address.Scheme != "sb" || !connectionString.Contains("SharedAccessKey=", StringComparison.OrdinalIgnoreCase))
            throw new PostriderException(PostriderError.Configuration, "The connection string of Event Hubs must have the form 'Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=…;SharedAccessKey=…'.");
        IsEventHubs = true;
        Servers = $"{address.Host}:{EventHubsPort}";
        Security = new() { Tls = true, CaFile = Security.CaFile, User = "$ConnectionString", Password = connectionString };
        Throughput.Compression = KafkaCompression.Gzip;
        Poison.MaxBodyBytes = Math.Min(Poison.MaxBodyBytes, 1_000_000);
        Throughput.BatchBytes = Math.Min(Throughput.BatchBytes, 1_000_000);
        return this;
    }
}
