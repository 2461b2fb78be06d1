using Microsoft.Extensions.Logging;
using Postrider.Sockets;

namespace Postrider.Broker;

/// <summary>Everything that can be set on a broker. The defaults are nats-server's but for <see cref="Host"/>, which is
/// the loopback address.</summary>
/// <remarks>A broker copies the record when it starts: later changes have no effect on it. The lists are not copied and must
/// not be changed after the start. Not thread-safe.</remarks>
public sealed record BrokerOptions
{
    /// <summary>A port number that asks the operating system for a free port.</summary>
    public const int RandomPort = -1;

    /// <summary>The port NATS clients expect: 4222.</summary>
    public const int DefaultPort = 4222;

    /// <summary>Address that clients connect to: an IP address, or a host name that resolves to one of this machine.
    /// The default, <c>127.0.0.1</c>, keeps an embedded broker to its own machine; <c>0.0.0.0</c> opens it to every network.</summary>
    public string Host { get; set; } = "127.0.0.1";

    /// <summary>TCP port for clients; <see cref="RandomPort"/> takes a free one.</summary>
    public int Port { get; set; } = DefaultPort;

    /// <summary>Whether to listen on TCP at all. A broker that does not is reached through its connector only.</summary>
    public bool Listen { get; set; } = true;

    /// <summary>The socket engine that serves TCP connections.</summary>
    public EngineKind Engine { get; set; }

    /// <summary>Name told to clients and monitoring, without spaces; null takes the server's generated id.</summary>
    public string? ServerName { get; set; }

    /// <summary><c>host</c> or <c>host:port</c> that clients are told to use instead of <see cref="Host"/> and <see cref="Port"/>.</summary>
    public string? ClientAdvertise { get; set; }

    /// <summary>Free-form tags shown by monitoring.</summary>
    public IReadOnlyList<string> ServerTags { get; set; } = [];

    /// <summary>Free-form key and value pairs shown by monitoring.</summary>
    public IReadOnlyDictionary<string, string> ServerMetadata { get; set; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Largest message a client may publish, headers included, in bytes; -1 allows any size.</summary>
    public int MaxPayloadBytes { get; set; } = 1024 * 1024;

    /// <summary>Longest protocol line a client may send, in bytes.</summary>
    public int MaxControlLineBytes { get; set; } = 4096;

    /// <summary>Most client connections at once; zero allows any number, less allows none.</summary>
    public int MaxConnections { get; set; } = 64 * 1024;

    /// <summary>Most subscriptions per connection; zero and -1 allow any number, less allows none.</summary>
    public int MaxSubscriptions { get; set; }

    /// <summary>Most tokens in a subscription's subject; zero allows any number.</summary>
    public int MaxSubjectTokens { get; set; }

    /// <summary>Bytes that may wait for one connection before it is cut off as a slow consumer.</summary>
    public long MaxPendingBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>How often an idle client is sent PING.</summary>
    public TimeSpan PingInterval { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Unanswered PINGs after which a connection counts as stale.</summary>
    public int MaxPingsOut { get; set; } = 2;

    /// <summary>How long one write to a client may take before it counts as a slow consumer.</summary>
    public TimeSpan WriteDeadline { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a client has to authenticate when <see cref="Authorization"/> asks for it.</summary>
    public TimeSpan AuthTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Who may connect and what they may do; null lets everyone do everything.</summary>
    public AuthorizationOptions? Authorization { get; set; }

    /// <summary>Tells clients that headers are not supported and refuses HPUB.</summary>
    public bool NoHeaderSupport { get; set; }

    /// <summary>Never slows a producer down for a subscriber that falls behind.</summary>
    public bool NoFastProducerStall { get; set; }

    /// <summary>Time over which lame-duck mode spreads the closing of its clients.</summary>
    public TimeSpan LameDuckDuration { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>Time between telling clients of lame-duck mode and closing the first of them.</summary>
    public TimeSpan LameDuckGracePeriod { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How many closed connections monitoring remembers.</summary>
    public int MaxClosedClients { get; set; } = 10_000;

    /// <summary>Where monitoring is served over HTTP. The broker only shows these values; Postrider.Broker.Http serves them.</summary>
    public MonitoringOptions Monitoring { get; set; } = new();

    /// <summary>What is logged and how.</summary>
    public LoggingOptions Logging { get; set; } = new();

    /// <summary>How streams are stored; null serves none.</summary>
    public JetStreamOptions? JetStream { get; set; }

    /// <summary>Folder for the ports file; null writes none.</summary>
    public string? PortsFileDirectory { get; set; }

    /// <summary>File for the process id; null writes none.</summary>
    public string? PidFile { get; set; }

    /// <summary>The configuration file these options came from; null when there was none.</summary>
    public string? ConfigurationFile { get; set; }

    /// <summary>Digest of that file as monitoring shows it (<c>sha256:</c> and 64 hex digits); null without a file.</summary>
    public string? ConfigurationDigest { get; set; }

    /// <summary>The clock. Tests put their own here.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Where log lines go; null logs nothing.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>Throws when the values cannot work, or not together.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>; the message names the first problem.</exception>
    public void Validate()
    {
        if (BrokerOptionsValidator.FirstProblem(this) is { } problem)
            throw new BrokerException(BrokerError.InvalidOptions, problem);
    }
}
