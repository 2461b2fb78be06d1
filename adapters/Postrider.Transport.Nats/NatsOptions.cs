namespace Postrider.Transport.Nats;

/// <summary>Options of a <see cref="NatsTransport"/> or <see cref="NatsStreamTransport"/>: four profiles whose effective values are logged
/// when the transport is first used. The server, its account and TLS are options of the client.</summary>
public sealed record NatsOptions
{
    /// <summary>The first token of the subjects of delayed messages, as <see cref="NatsStreamTransport.Schedules"/>; null, the default, for
    /// a transport without delays.</summary>
    public string? Schedules { get; set; }

    /// <summary>Limits of concurrent work.</summary>
    public NatsThroughput Throughput { get; set; } = new();

    /// <summary>How failed sends and lost consumers are repeated.</summary>
    public NatsRetry Retry { get; set; } = new();

    /// <summary>Limits that protect the server and the receivers from messages that cannot be handled.</summary>
    public NatsPoison Poison { get; set; } = new();

    /// <summary>What is logged and probed.</summary>
    public NatsObservability Observability { get; set; } = new();

    /// <summary>Where the options can be changed, for messages: a configuration section, or this type.</summary>
    internal string Place { get; set; } = nameof(NatsOptions);
}
