namespace Postrider.Transport.ServiceBus;

/// <summary>Options of a <see cref="ServiceBusTransport"/>: the namespace, the credentials, and four profiles whose effective values are
/// logged when the transport connects.</summary>
public sealed record ServiceBusOptions
{
    /// <summary>The connection string of the namespace, or of one of its queues or topics:
    /// <c>Endpoint=sb://name.servicebus.windows.net/;SharedAccessKeyName=…;SharedAccessKey=…</c>. With
    /// <see cref="TokenProvider"/> the endpoint alone. By default Microsoft's emulator on this machine, which
    /// <c>UseDevelopmentEmulator=true</c> says: plain TCP instead of TLS.</summary>
    public string ConnectionString { get; set; } = "Endpoint=sb://localhost/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true";

    /// <summary>Gets tokens instead of signing them with the connection string's key: for Microsoft Entra ID or a vault. The argument is the
    /// audience, <c>sb://name.servicebus.windows.net/queue</c>; called again before each token expires. Null to use the key.</summary>
    public Func<string, CancellationToken, ValueTask<ServiceBusToken>>? TokenProvider { get; set; }

    /// <summary>How long a token that is signed with the connection string's key is valid. 1 hour by default; from 1 minute to
    /// 1 day. It is renewed when four fifths have passed.</summary>
    public TimeSpan TokenLifetime { get; set; } = TimeSpan.FromHours(1);

    /// <summary>A PEM file with the authorities that may sign the server's certificate; null for those of the system.</summary>
    public string? CaFile { get; set; }

    /// <summary>The prefix of the connection's container id, which the service shows in its diagnostics; null for a random one.</summary>
    public string? ClientName { get; set; }

    /// <summary>Limits of concurrent work.</summary>
    public ServiceBusThroughput Throughput { get; set; } = new();

    /// <summary>How failed sends and lost connections are repeated.</summary>
    public ServiceBusRetry Retry { get; set; } = new();

    /// <summary>Limits that protect the service and the receivers from messages that cannot be handled.</summary>
    public ServiceBusPoison Poison { get; set; } = new();

    /// <summary>What is logged and probed.</summary>
    public ServiceBusObservability Observability { get; set; } = new();

    /// <summary>Lists the profiles without the connection string, because it contains a key.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{nameof(ServiceBusOptions)} {{ {Throughput}, {Retry}, {Poison}, {Observability} }}";
}
