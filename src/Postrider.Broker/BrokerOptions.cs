using Microsoft.Extensions.Logging;
using Postrider.Sockets;

namespace Postrider.Broker;

/// <summary>The options of a broker. The defaults are nats-server's except for <see cref="Host"/>, which is
/// the loopback address.</summary>
/// <remarks>A broker copies the record when it starts: later changes have no effect on it. The lists are not copied and must
/// not be changed after the start. Not thread-safe.</remarks>
public sealed record BrokerOptions
{
    /// <summary>A port number that asks the operating system for a free port.</summary>
    public const int RandomPort = -1;

    /// <summary>The port NATS clients expect: 4222.</summary>
    public const int DefaultPort = 4222;

    /// <summary>The version of nats-server that the broker follows.</summary>
    internal const string ReferenceVersion = "2.15.1";

    /// <summary>Address that clients connect to: an IP address, or a host name that resolves to an address of this machine.
    /// The default, <c>127.0.0.1</c>, keeps an embedded broker to its own machine; <c>0.0.0.0</c> opens it to every network.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>TCP port for clients; <see cref="RandomPort"/> takes a free one.</summary>
    public int Port { get; set; } = DefaultPort;

    /// <summary>Whether to listen on TCP. A broker that does not can only be reached through its connector.</summary>
    public bool Listen { get; set; } = true;

    /// <summary>The socket engine that serves TCP connections.</summary>
    public EngineKind Engine { get; set; }

    /// <summary>The server's name without spaces, for clients and monitoring; null takes the generated id.</summary>
    public string? ServerName { get; set; }

    /// <summary><c>host</c> or <c>host:port</c> that clients are told to use instead of <see cref="Host"/> and <see cref="Port"/>.</summary>
    public string? ClientAdvertise { get; set; }

    /// <summary>Free-form tags shown by monitoring.</summary>
    public IReadOnlyList<string> ServerTags { get; set; } = [];

    /// <summary>Free-form key and value pairs shown by monitoring.</summary>
    public IReadOnlyDictionary<string, string> ServerMetadata { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Maximum size of a message in bytes, headers included; -1 for no limit.</summary>
    public int MaxPayloadBytes { get; set; } = 1024 * 1024;

    /// <summary>Maximum length of a protocol line from a client in bytes.</summary>
    public int MaxControlLineBytes { get; set; } = 4096;

    /// <summary>Maximum number of client connections; zero for no limit; negative numbers allow none.</summary>
    public int MaxConnections { get; set; } = 64 * 1024;

    /// <summary>Maximum number of subscriptions per connection; zero and -1 for no limit; lower numbers allow none.</summary>
    public int MaxSubscriptions { get; set; }

    /// <summary>Maximum number of tokens in a subscription's subject; zero for no limit.</summary>
    public int MaxSubjectTokens { get; set; }

    /// <summary>Maximum number of bytes waiting for a connection before it is closed as a slow consumer.</summary>
    public long MaxPendingBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>The interval of PINGs to idle clients.</summary>
    public TimeSpan PingInterval { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Number of unanswered PINGs after which a connection is closed as stale.</summary>
    public int MaxPingsOut { get; set; } = 2;

    /// <summary>Maximum time of one write to a client before it is closed as a slow consumer.</summary>
    public TimeSpan WriteDeadline { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The time in which a client must authenticate if <see cref="Authorization"/> requires it.</summary>
    public TimeSpan AuthTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Slows down addresses whose attempts to authenticate keep failing.</summary>
    public AuthThrottleOptions AuthThrottle { get; set; } = new();

    /// <summary>Authentication and permissions; null allows every client everything.</summary>
    public AuthorizationOptions? Authorization { get; set; }

    /// <summary>Accounts, each with its users. Clients that belong to none of them share the account <c>$G</c>, which may be listed too.</summary>
    public IReadOnlyList<AccountOptions> Accounts { get; set; } = [];

    /// <summary>Operator mode, in which tokens decide who may connect, instead of <see cref="Accounts"/> and their users; null disables it.</summary>
    public OperatorModeOptions? OperatorMode { get; set; }

    /// <summary>Name of the account in which the broker offers its own services; null takes <c>$SYS</c>. In operator mode its public key;
    /// null takes the one that the first operator names.</summary>
    public string? SystemAccount { get; set; }

    /// <summary>Disables the system account where <see cref="SystemAccount"/> names none.</summary>
    public bool NoSystemAccount { get; set; }

    /// <summary>The JetStream domains that requests of accounts without streams of their own go to, by the accounts' names. An empty domain lets requests of
    /// the account cross leaf node connections as they are. Default empty.</summary>
    public IReadOnlyDictionary<string, string> DefaultJetStreamDomains { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>TLS for clients; null disables it.</summary>
    public ServerTlsOptions? Tls { get; set; }

    /// <summary>Whether clients may connect without TLS although <see cref="Tls"/> is set.</summary>
    public bool AllowNonTls { get; set; }

    /// <summary>The listener for clients over WebSockets; null for none.</summary>
    public WebSocketOptions? WebSocket { get; set; }

    /// <summary>Leaf nodes: the listener for them, and the servers to connect to as one; null for none.</summary>
    public LeafNodeOptions? LeafNodes { get; set; }

    /// <summary>The cluster that the broker belongs to; null for none.</summary>
    public ClusterOptions? Cluster { get; set; }

    /// <summary>Disables headers: INFO announces it to clients, and HPUB is rejected.</summary>
    public bool NoHeaderSupport { get; set; }

    /// <summary>Disables the stalling of producers whose subscribers fall behind.</summary>
    public bool NoFastProducerStall { get; set; }

    /// <summary>Time over which lame-duck mode spreads the closing of its clients.</summary>
    public TimeSpan LameDuckDuration { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Time between announcing lame-duck mode to clients and closing the first of them.</summary>
    public TimeSpan LameDuckGracePeriod { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Number of closed connections that monitoring keeps.</summary>
    public int MaxClosedClients { get; set; } = 10_000;

    /// <summary>The address of monitoring over HTTP. The broker only shows these values; Postrider.Broker.Http serves them.</summary>
    public MonitoringOptions Monitoring { get; set; } = new();

    /// <summary>Logging options.</summary>
    public LoggingOptions Logging { get; set; } = new();

    /// <summary>The settings of JetStream; null disables it.</summary>
    public JetStreamOptions? JetStream { get; set; }

    /// <summary>Folder for the ports file; null writes none.</summary>
    public string? PortsFileDirectory { get; set; }

    /// <summary>File for the process id; null writes none.</summary>
    public string? PidFile { get; set; }

    /// <summary>The configuration file these options came from; null when there was none.</summary>
    public string? ConfigurationFile { get; set; }

    /// <summary>Digest of that file as monitoring shows it (<c>sha256:</c> and 64 hex digits); null without a file.</summary>
    public string? ConfigurationDigest { get; set; }

    /// <summary>The clock; tests can replace it.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>The logger factory; null disables logging.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>The system account's name; null without one.</summary>
    internal string? SystemAccountName => !string.IsNullOrEmpty(SystemAccount)
        ? SystemAccount
        : NoSystemAccount && !ListsDefaultSystemAccount ? null : AccountOptions.DefaultSystemName;

    /// <summary>The name by which a user set an option, from its property's path such as <c>JetStream.StoreDirectory</c>; null for
    /// properties.</summary>
    internal Func<string, string>? OptionNames { get; set; }

    /// <summary>Describes options that are probably a mistake but do not prevent a start. Reads the credentials of leaf nodes' remotes.</summary>
    internal IEnumerable<string> FindWarnings()
    {
        // nats-server does not warn.
        List<string> accounts = JetStream is not { Enabled: true } ? [.. Accounts.Where(static account => account.JetStream is not null).Select(static account => account.Name)] : [];
        if (accounts.Count > 0)
            yield return $"JetStream is enabled for {(accounts.Count == 1 ? "the account" : "the accounts")} {string.Join(", ", accounts)}, but not on this server: add jetstream {{}} at the top level of the configuration, or start the server with -js.";
        foreach (var remote in LeafNodes?.Remotes ?? [])
            if (!remote.Disabled && LeafNodeOptionsValidator.CredentialsProblem(remote) is { } problem) yield return $"{problem} The file is read again at each connect.";
    }

    /// <summary>Whether only the system account has users of its own: then clients without credentials belong to the global account.</summary>
    internal bool HasSystemUsersOnly => Authorization is null
        && (!string.IsNullOrEmpty(SystemAccount) || ListsDefaultSystemAccount)
        && Accounts.All(account => account.Name == SystemAccountName || account.Name == AccountOptions.GlobalName)
        && Accounts.Any(account => account.Name == SystemAccountName && account.Users.Count > 0);

    /// <summary>Whether clients must authenticate.</summary>
    internal bool RequiresAuthentication => OperatorMode is { IsOn: true } || Authorization is { IsRequired: true } || Accounts.Any(static account => account.Users.Count > 0);

    private bool ListsDefaultSystemAccount => Accounts.Any(static account => account.Name == AccountOptions.DefaultSystemName);

    /// <summary>Connects the broker to another server as a leaf node. May be called several times.</summary>
    /// <param name="url">The server's address for leaf nodes, such as <c>tls://hub:7422</c>.</param>
    /// <param name="credentials">File with the credentials (<c>.creds</c>); null for none.</param>
    /// <returns>These options.</returns>
    public BrokerOptions Leaf(string url, string? credentials = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(url);
        var leafs = LeafNodes ?? new LeafNodeOptions();
        LeafNodes = leafs with { Remotes = [.. leafs.Remotes, new LeafRemoteOptions { Urls = [url], Credentials = credentials }] };
        return this;
    }

    /// <summary>The name of an option in error messages.</summary>
    /// <param name="path">The path of the property below these options.</param>
    internal string NameOf(string path) => OptionNames?.Invoke(path) ?? $"{nameof(BrokerOptions)}.{path}";

    /// <summary>Throws if options are invalid or contradict each other.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>; the message names the first problem.</exception>
    public void Validate()
    {
        if (BrokerOptionsValidator.Validate(this) is { } problem)
            throw new BrokerException(BrokerError.InvalidOptions, problem);
    }
}
