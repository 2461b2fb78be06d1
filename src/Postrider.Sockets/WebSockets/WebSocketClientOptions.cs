namespace Postrider.Sockets.WebSockets;

/// <summary>The options with which a client opens a WebSocket. Immutable.</summary>
public sealed record WebSocketClientOptions
{
    /// <summary>The host and port for the request's <c>Host</c>, such as <c>example.org:8080</c>. Required.</summary>
    public required string Host { get; init; }

    /// <summary>The path and query. Default <c>/</c>.</summary>
    public string Target { get; init; } = "/";

    /// <summary>Additional header fields of the request, such as <c>Cookie</c> or <c>Origin</c>. Default none.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Whether messages are compressed if the server supports it. Default false.</summary>
    public bool Compression { get; init; }

    /// <summary>Whether sent bytes are not masked if the server accepts that, as NATS servers do. Default false.</summary>
    public bool NoMasking { get; init; }

    /// <summary>Maximum time of the handshake. Default 5 s.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Maximum size of a received compressed message in bytes, compressed and not. Default 64 MiB.</summary>
    public long MaxMessageBytes { get; init; } = 64 * 1024 * 1024;
}
