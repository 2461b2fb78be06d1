namespace Postrider.Broker;

/// <summary>A server that the broker connects to as a leaf node.</summary>
/// <remarks>Source: nats-server, <c>leafnodes { remotes }</c>.</remarks>
public sealed record LeafRemoteOptions
{
    /// <summary>The server's addresses, <c>nats-leaf://host:port</c> or <c>tls://host:port</c>, with user and password if required: when one
    /// fails, the next one is tried. The default port is 7422. <c>ws://host:port/path</c> and <c>wss://</c> connect to its listener for WebSockets;
    /// either all addresses are WebSockets, or none.</summary>
    public IReadOnlyList<string> Urls { get; set; } = [];

    /// <summary>The broker's own account that is connected; null takes the global one. In operator mode its public key.</summary>
    public string? Account { get; set; }

    /// <summary>File with the credentials (<c>.creds</c>) of the remote's user; read at each connect. Not together with <see cref="NkeySeed"/>.</summary>
    public string? Credentials { get; set; }

    /// <summary>Seed, <c>SU…</c>, of the nkey of the remote's user. Not together with <see cref="Credentials"/>.</summary>
    public string? NkeySeed { get; set; }

    /// <summary>TLS of the connection; null uses it with the system's authorities where the remote requires it or an address begins with <c>tls://</c>.</summary>
    public LeafTlsOptions? Tls { get; set; }

    /// <summary>Whether the broker acts as the hub of this connection and the remote as the leaf node.</summary>
    public bool Hub { get; set; }

    /// <summary>Subjects that are not received from the remote. Default empty.</summary>
    public IReadOnlyList<string> DenyImports { get; set; } = [];

    /// <summary>Subjects that are not sent to the remote. Default empty.</summary>
    public IReadOnlyList<string> DenyExports { get; set; } = [];

    /// <summary>Whether the addresses are tried in their order; else in random order.</summary>
    public bool NoRandomize { get; set; }

    /// <summary>Whether addresses that the remote announces are ignored.</summary>
    public bool IgnoreDiscoveredServers { get; set; }

    /// <summary>Maximum time until the remote sends INFO. Default 1 s.</summary>
    public TimeSpan FirstInfoTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Maximum time of one attempt to connect; null takes <see cref="LeafNodeOptions.DialTimeout"/>.</summary>
    public TimeSpan? DialTimeout { get; set; }

    /// <summary>Whether interest of other leaf nodes is kept from the remote.</summary>
    public bool Isolate { get; set; }

    /// <summary>Whether the remote is asked not to send interest of its other leaf nodes.</summary>
    public bool RequestIsolation { get; set; }

    /// <summary>Compression of the connection. Default <see cref="ServerCompressionMode.S2Auto"/>.</summary>
    public ServerCompressionOptions Compression { get; set; } = new() { Mode = ServerCompressionMode.S2Auto };

    /// <summary>Whether a WebSocket compresses its messages, if the remote does too; <see cref="Compression"/> is off then.</summary>
    public bool WebSocketCompression { get; set; }

    /// <summary>Whether data sent over a WebSocket is not masked, if the remote accepts that.</summary>
    public bool WebSocketNoMasking { get; set; }

    /// <summary>Whether the remote is disabled: the broker does not connect to it.</summary>
    public bool Disabled { get; set; }

    /// <summary>Whether a connection to another remote would be the same.</summary>
    internal bool IsSameAs(LeafRemoteOptions other)
        => Urls.SequenceEqual(other.Urls, StringComparer.Ordinal)
            && DenyImports.SequenceEqual(other.DenyImports, StringComparer.Ordinal)
            && DenyExports.SequenceEqual(other.DenyExports, StringComparer.Ordinal)
            && Compression.IsSameAs(other.Compression)
            && Equals(other with { Urls = Urls, DenyImports = DenyImports, DenyExports = DenyExports, Compression = Compression });
}
