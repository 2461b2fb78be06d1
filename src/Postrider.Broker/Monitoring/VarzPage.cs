using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/varz</c>: general information and counters. Names and units are nats-server's.</summary>
public sealed record VarzPage
{
    /// <summary>The broker's generated public key.</summary>
    [JsonPropertyName("server_id")] public required string ServerId { get; init; }

    /// <summary>The configured name, or the id.</summary>
    [JsonPropertyName("server_name")] public required string ServerName { get; init; }

    /// <summary>The version of nats-server whose behaviour the broker follows.</summary>
    [JsonPropertyName("version")] public required string Version { get; init; }

    /// <summary>Version of Postrider; nats-server has no such field.</summary>
    [JsonPropertyName("postrider_version")] public required string ProductVersion { get; init; }

    /// <summary>Client protocol: 1.</summary>
    [JsonPropertyName("proto")] public required int Protocol { get; init; }

    /// <summary>The runtime; nats-server shows Go's version here.</summary>
    [JsonPropertyName("go")] public required string Runtime { get; init; }

    /// <summary>Address clients connect to.</summary>
    [JsonPropertyName("host")] public required string Host { get; init; }

    /// <summary>Port clients connect to.</summary>
    [JsonPropertyName("port")] public required int Port { get; init; }

    /// <summary>Whether clients must authenticate.</summary>
    [JsonPropertyName("auth_required"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool AuthRequired { get; init; }

    /// <summary>Whether clients must use TLS.</summary>
    [JsonPropertyName("tls_required"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsRequired { get; init; }

    /// <summary>Whether clients must present a certificate.</summary>
    [JsonPropertyName("tls_verify"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsVerify { get; init; }

    /// <summary>Addresses that clients are told to use.</summary>
    [JsonPropertyName("connect_urls")] public IReadOnlyList<string>? ConnectUrls { get; init; }

    /// <summary>Maximum number of connections at once.</summary>
    [JsonPropertyName("max_connections")] public required int MaxConnections { get; init; }

    /// <summary>Maximum number of subscriptions per connection; absent without a limit.</summary>
    [JsonPropertyName("max_subscriptions"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int MaxSubscriptions { get; init; }

    /// <summary>Time between PINGs, in nanoseconds.</summary>
    [JsonPropertyName("ping_interval")] public required long PingIntervalNanoseconds { get; init; }

    /// <summary>Unanswered PINGs that end a connection.</summary>
    [JsonPropertyName("ping_max")] public required int MaxPingsOut { get; init; }

    /// <summary>Address of the monitoring pages.</summary>
    [JsonPropertyName("http_host")] public required string HttpHost { get; init; }

    /// <summary>Port of the monitoring pages as configured.</summary>
    [JsonPropertyName("http_port")] public required int HttpPort { get; init; }

    /// <summary>Path before the monitoring pages as configured.</summary>
    [JsonPropertyName("http_base_path")] public required string HttpBasePath { get; init; }

    /// <summary>Port of the monitoring pages over TLS as configured; zero without TLS.</summary>
    [JsonPropertyName("https_port")] public int HttpsPort { get; init; }

    /// <summary>Time to authenticate, in seconds.</summary>
    [JsonPropertyName("auth_timeout")] public required double AuthTimeoutSeconds { get; init; }

    /// <summary>Longest protocol line in bytes.</summary>
    [JsonPropertyName("max_control_line")] public required int MaxControlLineBytes { get; init; }

    /// <summary>Maximum size of a message in bytes.</summary>
    [JsonPropertyName("max_payload")] public required int MaxPayloadBytes { get; init; }

    /// <summary>Bytes that may wait for one connection.</summary>
    [JsonPropertyName("max_pending")] public required long MaxPendingBytes { get; init; }

    /// <summary>The cluster; empty without one.</summary>
    [JsonPropertyName("cluster")] public ClusterVarz Cluster { get; init; } = new();

    /// <summary>Empty: no gateways.</summary>
    [JsonPropertyName("gateway")] public EmptyObject Gateway { get; init; } = new();

    /// <summary>Leaf nodes; empty without leaf nodes.</summary>
    [JsonPropertyName("leaf")] public LeafVarz Leaf { get; init; } = new();

    /// <summary>Empty: no MQTT.</summary>
    [JsonPropertyName("mqtt")] public EmptyObject Mqtt { get; init; } = new();

    /// <summary>The WebSocket listener; empty without one.</summary>
    [JsonPropertyName("websocket")] public WebSocketVarz WebSocket { get; init; } = new();

    /// <summary>The streams.</summary>
    [JsonPropertyName("jetstream")] public JetStreamVarz JetStream { get; init; } = new();

    /// <summary>Time for a TLS handshake, in seconds.</summary>
    [JsonPropertyName("tls_timeout")] public double TlsTimeoutSeconds { get; init; } = 2;

    /// <summary>Maximum time of one write, in nanoseconds.</summary>
    [JsonPropertyName("write_deadline")] public required long WriteDeadlineNanoseconds { get; init; }

    /// <summary>When the broker started.</summary>
    [JsonPropertyName("start")] public required DateTime Start { get; init; }

    /// <summary>When this was read.</summary>
    [JsonPropertyName("now")] public required DateTime Now { get; init; }

    /// <summary>Time since the start, as <c>1d2h3m4s</c>.</summary>
    [JsonPropertyName("uptime")] public required string Uptime { get; init; }

    /// <summary>Resident memory of the process in bytes.</summary>
    [JsonPropertyName("mem")] public required long MemoryBytes { get; init; }

    /// <summary>Processors of the machine.</summary>
    [JsonPropertyName("cores")] public required int Cores { get; init; }

    /// <summary>Processors the process may use.</summary>
    [JsonPropertyName("gomaxprocs")] public required int MaxProcessors { get; init; }

    /// <summary>Processor time since the last reading, in percent of one core.</summary>
    [JsonPropertyName("cpu")] public required double CpuPercent { get; init; }

    /// <summary>Open connections.</summary>
    [JsonPropertyName("connections")] public required int Connections { get; init; }

    /// <summary>Connections ever accepted.</summary>
    [JsonPropertyName("total_connections")] public required ulong TotalConnections { get; init; }

    /// <summary>Connections to other servers of the cluster.</summary>
    [JsonPropertyName("routes")] public int Routes { get; init; }

    /// <summary>Servers that the broker connects to as a leaf node.</summary>
    [JsonPropertyName("remotes")] public int Remotes { get; init; }

    /// <summary>Leaf node connections.</summary>
    [JsonPropertyName("leafnodes")] public int LeafNodes { get; init; }

    /// <summary>Messages received.</summary>
    [JsonPropertyName("in_msgs")] public required long InMessages { get; init; }

    /// <summary>Bytes received in messages.</summary>
    [JsonPropertyName("in_bytes")] public required long InBytes { get; init; }

    /// <summary>Messages received from clients.</summary>
    [JsonPropertyName("in_client_msgs")] public required long InClientMessages { get; init; }

    /// <summary>Bytes received in messages from clients.</summary>
    [JsonPropertyName("in_client_bytes")] public required long InClientBytes { get; init; }

    /// <summary>Messages sent.</summary>
    [JsonPropertyName("out_msgs")] public required long OutMessages { get; init; }

    /// <summary>Bytes sent in messages.</summary>
    [JsonPropertyName("out_bytes")] public required long OutBytes { get; init; }

    /// <summary>Messages sent to clients.</summary>
    [JsonPropertyName("out_client_msgs")] public required long OutClientMessages { get; init; }

    /// <summary>Bytes sent in messages to clients.</summary>
    [JsonPropertyName("out_client_bytes")] public required long OutClientBytes { get; init; }

    /// <summary>Connections closed because they did not read fast enough.</summary>
    [JsonPropertyName("slow_consumers")] public required long SlowConsumers { get; init; }

    /// <summary>Connections closed because PINGs went unanswered.</summary>
    [JsonPropertyName("stale_connections")] public required long StaleConnections { get; init; }

    /// <summary>Times a producer was slowed down.</summary>
    [JsonPropertyName("stalled_clients")] public required long StalledClients { get; init; }

    /// <summary>Current subscriptions.</summary>
    [JsonPropertyName("subscriptions")] public required int Subscriptions { get; init; }

    /// <summary>Requests for each monitoring page.</summary>
    [JsonPropertyName("http_req_stats")] public required IReadOnlyDictionary<string, ulong> HttpRequests { get; init; }

    /// <summary>When the configuration was read.</summary>
    [JsonPropertyName("config_load_time")] public required DateTime ConfigurationLoaded { get; init; }

    /// <summary>Digest of the configuration file; empty without one.</summary>
    [JsonPropertyName("config_digest")] public required string ConfigurationDigest { get; init; }

    /// <summary>The configured tags.</summary>
    [JsonPropertyName("tags")] public IReadOnlyList<string>? Tags { get; init; }

    /// <summary>The configured metadata.</summary>
    [JsonPropertyName("metadata")] public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>nats-server's feature flags, and whether the broker behaves accordingly.</summary>
    [JsonPropertyName("feature_flags")] public required IReadOnlyDictionary<string, bool> FeatureFlags { get; init; }

    /// <summary>The system account's name; absent without one.</summary>
    [JsonPropertyName("system_account")] public string? SystemAccount { get; init; }

    /// <summary>Slow consumers by kind of connection.</summary>
    [JsonPropertyName("slow_consumer_stats")] public required CountByKind SlowConsumersByKind { get; init; }

    /// <summary>Stale connections by kind.</summary>
    [JsonPropertyName("stale_connection_stats")] public required CountByKind StaleConnectionsByKind { get; init; }

    /// <summary>Waits for the disk.</summary>
    [JsonPropertyName("disk_io_wait_stats")] public required DiskWaits DiskWaits { get; init; }

    /// <summary>When the certificate for clients expires; absent without TLS.</summary>
    [JsonPropertyName("tls_cert_not_after")] public DateTime? TlsCertificateNotAfter { get; init; }
}
