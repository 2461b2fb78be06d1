namespace Postrider.Broker;

/// <summary>The cluster that a broker belongs to: servers with routes between all of them, which share the interest of clients.</summary>
/// <remarks>Streams are not replicated: see the guide on clusters. Source: nats-server, <c>cluster</c>.</remarks>
public sealed record ClusterOptions
{
    /// <summary>The port that servers expect: 6222.</summary>
    public const int DefaultPort = 6222;

    /// <summary>The value of <see cref="PoolSize"/> that uses a single connection to each server, for all accounts.</summary>
    public const int NoPool = -1;

    /// <summary>The cluster's name, without spaces: the same on all servers. Null generates one, and adopts that of the other servers.</summary>
    public string? Name { get; set; }

    /// <summary>Address listened on. Default <c>127.0.0.1</c>; <c>0.0.0.0</c> opens it to every network.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>TCP port for routes; <see cref="BrokerOptions.RandomPort"/> takes a free one. Default 6222.</summary>
    public int Port { get; set; } = DefaultPort;

    /// <summary><c>host</c> or <c>host:port</c> that other servers are told to use instead of the address listened on; null for none.</summary>
    public string? Advertise { get; set; }

    /// <summary>Whether the addresses of the other servers are kept from clients.</summary>
    public bool NoAdvertise { get; set; }

    /// <summary>Name of the user that other servers must present; null for none.</summary>
    public string? User { get; set; }

    /// <summary>Password of <see cref="User"/>, in clear: it is also presented to servers that other servers announce.</summary>
    public string? Password { get; set; }

    /// <summary>The time in which another server must authenticate. Default 2 s.</summary>
    public TimeSpan AuthTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Which interest is shared with the other servers; null for all.</summary>
    public RoutePermissionOptions? Permissions { get; set; }

    /// <summary>Servers to connect to, <c>nats-route://user:password@host:6222</c>: one reachable server is enough.</summary>
    public IReadOnlyList<string> Routes { get; set; } = [];

    /// <summary>TLS of all routes, in both directions: each server presents its certificate and verifies the other's; null disables it.</summary>
    public ServerTlsOptions? Tls { get; set; }

    /// <summary>Number of connections to each server, each for a part of the accounts: 1 to 1000, or <see cref="NoPool"/>. Default 3.</summary>
    public int PoolSize { get; set; } = 3;

    /// <summary>Accounts with a dedicated connection to each server. The system account has one too, if there is a pool. Default empty.</summary>
    public IReadOnlyList<string> Accounts { get; set; } = [];

    /// <summary>How often an address that another server announced is tried again when it cannot be reached. Configured ones are tried forever. Default 0.</summary>
    public int ConnectRetries { get; set; }

    /// <summary>Whether the time between attempts doubles each time, up to 30 s.</summary>
    public bool ConnectBackoff { get; set; }

    /// <summary>Interval of PINGs; null takes <see cref="BrokerOptions.PingInterval"/>. At most 30 s in any case.</summary>
    public TimeSpan? PingInterval { get; set; }

    /// <summary>Number of PINGs without an answer after which a route is closed; null takes <see cref="BrokerOptions.MaxPingsOut"/>.</summary>
    public int? MaxPingsOut { get; set; }

    /// <summary>Compression of routes. Default <see cref="ServerCompressionMode.Accept"/>.</summary>
    public ServerCompressionOptions Compression { get; set; } = new() { Mode = ServerCompressionMode.Accept };

    /// <summary>Maximum time of one write to another server; null takes <see cref="BrokerOptions.WriteDeadline"/>.</summary>
    public TimeSpan? WriteDeadline { get; set; }

    /// <summary>What happens to a route when <see cref="WriteDeadline"/> passes.</summary>
    public WriteTimeoutPolicy WriteTimeout { get; set; }

    /// <summary>Accounts with a dedicated connection, including the system account.</summary>
    /// <param name="systemAccount">The system account's name, or null.</param>
    internal HashSet<string> PinnedAccounts(string? systemAccount)
    {
        if (PoolSize == NoPool) return [];
        var pinned = Accounts.ToHashSet(StringComparer.Ordinal);
        if (systemAccount is not null) pinned.Add(systemAccount);
        return pinned;
    }
}
