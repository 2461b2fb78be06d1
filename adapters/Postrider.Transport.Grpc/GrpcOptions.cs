namespace Postrider.Transport.Grpc;

/// <summary>Options of a <see cref="GrpcTransport"/>: the server that it sends to, and four profiles whose effective values are logged
/// when it is first used.</summary>
public sealed record GrpcOptions
{
    /// <summary>The inbox that messages are sent to: <c>http://host:port</c> or <c>https://host:port</c>; null for a transport that only
    /// receives.</summary>
    public Uri? Address { get; set; }

    /// <summary>TLS and authentication.</summary>
    public GrpcSecurity Security { get; set; } = new();

    /// <summary>Limits of concurrent work.</summary>
    public GrpcThroughput Throughput { get; set; } = new();

    /// <summary>How failed sends are repeated.</summary>
    public GrpcRetry Retry { get; set; } = new();

    /// <summary>Limits that protect the server and the receivers from messages that cannot be handled.</summary>
    public GrpcPoison Poison { get; set; } = new();

    /// <summary>What is logged and probed.</summary>
    public GrpcObservability Observability { get; set; } = new();
}
