namespace Postrider.Broker;

/// <summary>Leaf node connections between servers: those that the broker accepts and those that it solicits.</summary>
/// <remarks>Source: nats-server, <c>leafnodes</c>.</remarks>
public sealed record LeafNodeOptions
{
    /// <summary>The default port for leaf nodes: 7422.</summary>
    public const int DefaultPort = 7422;

    /// <summary>Address listened on. Default <c>127.0.0.1</c>; <c>0.0.0.0</c> opens it to every network.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>TCP port for leaf nodes; <see cref="BrokerOptions.RandomPort"/> takes a free one; null, the default, does not listen.</summary>
    public int? Port { get; set; }

    /// <summary><c>host</c> or <c>host:port</c> that is announced to leaf nodes instead of the address listened on; null for none.</summary>
    public string? Advertise { get; set; }

    /// <summary>Whether the addresses for leaf nodes are kept from other servers. It has no effect without routes.</summary>
    public bool NoAdvertise { get; set; }

    /// <summary>Name of the only user of the listener, instead of the broker's users; null for none.</summary>
    public string? User { get; set; }

    /// <summary>Password of <see cref="User"/>, in clear or as a bcrypt hash.</summary>
    public string? Password { get; set; }

    /// <summary>Public nkey, <c>U…</c>, of the only user of the listener; null for none.</summary>
    public string? Nkey { get; set; }

    /// <summary>Account of <see cref="User"/> and <see cref="Nkey"/>; null takes the global one.</summary>
    public string? Account { get; set; }

    /// <summary>Users of the listener, instead of the broker's users. Default empty.</summary>
    public IReadOnlyList<LeafUserOptions> Users { get; set; } = [];

    /// <summary>The time in which a leaf node must authenticate. Default 2 s.</summary>
    public TimeSpan AuthTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>TLS of the listener; null disables it.</summary>
    public ServerTlsOptions? Tls { get; set; }

    /// <summary>The lowest version of servers that may connect, such as <c>2.10.0</c>, not below 2.8.0; null for any.</summary>
    public string? MinVersion { get; set; }

    /// <summary>Whether interest of leaf nodes is kept from other leaf nodes.</summary>
    public bool Isolate { get; set; }

    /// <summary>Maximum time of one write to a leaf node; null takes <see cref="BrokerOptions.WriteDeadline"/>.</summary>
    public TimeSpan? WriteDeadline { get; set; }

    /// <summary>What happens to a connection when <see cref="WriteDeadline"/> passes.</summary>
    public WriteTimeoutPolicy WriteTimeout { get; set; }

    /// <summary>Compression of connections that are accepted. Default <see cref="ServerCompressionMode.S2Auto"/>.</summary>
    public ServerCompressionOptions Compression { get; set; } = new() { Mode = ServerCompressionMode.S2Auto };

    /// <summary>The servers to connect to. Default empty.</summary>
    public IReadOnlyList<LeafRemoteOptions> Remotes { get; set; } = [];

    /// <summary>Time between two attempts to connect to a remote; a random time of up to the same length is added. Default 1 s.</summary>
    public TimeSpan ReconnectInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Maximum time of one attempt to connect. Default 1 s.</summary>
    public TimeSpan DialTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Whether the listener has its own users.</summary>
    internal bool HasOwnUsers => !string.IsNullOrEmpty(User) || !string.IsNullOrEmpty(Nkey) || Users.Count > 0;
}
