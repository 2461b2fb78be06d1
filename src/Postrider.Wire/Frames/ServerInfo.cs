using System.Text.Json.Serialization;

namespace Postrider.Wire.Frames;

/// <summary>The information of a server in INFO.</summary>
/// <remarks>Member names and their order on the wire are the protocol's. Source: NATS client protocol, INFO.</remarks>
public sealed record ServerInfo
{
    /// <summary>The server's unique id: 56 characters, <c>N…</c>.</summary>
    [JsonPropertyName("server_id")] public string ServerId { get; set; } = "";

    /// <summary>The server's name; its id if none was set.</summary>
    [JsonPropertyName("server_name")] public string ServerName { get; set; } = "";

    /// <summary>The version of the protocol's reference that the server matches.</summary>
    [JsonPropertyName("version")] public string Version { get; set; } = "";

    /// <summary>1: the server may send INFO at any time.</summary>
    [JsonPropertyName("proto")] public int Protocol { get; set; } = 1;

    /// <summary>The commit that the server was built from.</summary>
    [JsonPropertyName("git_commit"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Commit { get; set; }

    /// <summary>The version of the server's runtime; the field is named after nats-server's language.</summary>
    [JsonPropertyName("go")] public string Runtime { get; set; } = "";

    /// <summary>The host that the server listens on.</summary>
    [JsonPropertyName("host")] public string Host { get; set; } = "";

    /// <summary>The port that the server listens on.</summary>
    [JsonPropertyName("port")] public int Port { get; set; }

    /// <summary>Whether the server understands headers.</summary>
    [JsonPropertyName("headers")] public bool Headers { get; set; }

    /// <summary>Whether CONNECT must carry credentials.</summary>
    [JsonPropertyName("auth_required"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool AuthRequired { get; set; }

    /// <summary>Whether the connection must be upgraded to TLS.</summary>
    [JsonPropertyName("tls_required"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsRequired { get; set; }

    /// <summary>Whether the client must present a certificate.</summary>
    [JsonPropertyName("tls_verify"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsVerify { get; set; }

    /// <summary>Whether the connection may be upgraded to TLS.</summary>
    [JsonPropertyName("tls_available"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool TlsAvailable { get; set; }

    /// <summary>Maximum number of bytes of headers and payload together.</summary>
    [JsonPropertyName("max_payload")] public int MaxPayload { get; set; }

    /// <summary>Whether the server stores streams.</summary>
    [JsonPropertyName("jetstream"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool JetStream { get; set; }

    /// <summary>The server's address.</summary>
    [JsonPropertyName("ip"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Ip { get; set; }

    /// <summary>The id of this connection on the server.</summary>
    [JsonPropertyName("client_id"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public ulong ClientId { get; set; }

    /// <summary>The client's address as seen by the server.</summary>
    [JsonPropertyName("client_ip"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? ClientIp { get; set; }

    /// <summary>The bytes that an nkey user must sign.</summary>
    [JsonPropertyName("nonce"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Nonce { get; set; }

    /// <summary>The cluster's name.</summary>
    [JsonPropertyName("cluster"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Cluster { get; set; }

    /// <summary>Whether the cluster's name may change.</summary>
    [JsonPropertyName("cluster_dynamic"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool ClusterDynamic { get; set; }

    /// <summary>The JetStream domain.</summary>
    [JsonPropertyName("domain"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Domain { get; set; }

    /// <summary>Further addresses of the cluster, <c>host:port</c>.</summary>
    [JsonPropertyName("connect_urls"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string[]? ConnectUrls { get; set; }

    /// <summary>Further WebSocket addresses of the cluster.</summary>
    [JsonPropertyName("ws_connect_urls"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string[]? WebSocketConnectUrls { get; set; }

    /// <summary>Whether the server is in lame-duck mode and asks its clients to leave.</summary>
    [JsonPropertyName("ldm"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool LameDuckMode { get; set; }

    /// <summary>The compression of the connection between two servers; null when it is not negotiated.</summary>
    [JsonPropertyName("compression"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Compression { get; set; }

    /// <summary>Whether this INFO is the response to CONNECT and contains the account.</summary>
    [JsonPropertyName("connect_info"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool ConnectInfo { get; set; }

    /// <summary>The account that the connection is bound to.</summary>
    [JsonPropertyName("remote_account"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? RemoteAccount { get; set; }

    /// <summary>Whether that account is the system account.</summary>
    [JsonPropertyName("acc_is_sys"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool IsSystemAccount { get; set; }

    /// <summary>The level of the JetStream API.</summary>
    [JsonPropertyName("api_lvl"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int ApiLevel { get; set; }

    /// <summary>What a leaf node may receive from the server; null for anything.</summary>
    [JsonPropertyName("import"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public PermittedSubjects? Import { get; set; }

    /// <summary>What a leaf node may send to the server; null for anything.</summary>
    [JsonPropertyName("export"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public PermittedSubjects? Export { get; set; }

    /// <summary>Whether the server of a route understands interest of leaf nodes with their cluster.</summary>
    [JsonPropertyName("lnoc"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool LeafNodeOrigin { get; set; }

    /// <summary>Whether the server of a route also supports the cluster's name at the end of such interest.</summary>
    [JsonPropertyName("lnocu"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool LeafNodeOriginOfEnds { get; set; }

    /// <summary>Whether the server responds to the CONNECT of a leaf node with an INFO.</summary>
    [JsonPropertyName("info_on_connect"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool InfoOnConnect { get; set; }

    /// <summary>The number of connections that the server of a route requests, 1 and up; 0 for one without a pool.</summary>
    [JsonPropertyName("route_pool_size"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int RoutePoolSize { get; set; }

    /// <summary>The index of a route in that pool.</summary>
    [JsonPropertyName("route_pool_idx"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int RoutePoolIndex { get; set; }

    /// <summary>The only account of a route; null for a route of the pool.</summary>
    [JsonPropertyName("route_account"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? RouteAccount { get; set; }

    /// <summary>The id of the negotiation that gives an account its own route; null in others.</summary>
    [JsonPropertyName("route_acc_add_reqid"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? RouteAccountRequest { get; set; }

    /// <summary>Whether a new route is announced on: 0 as usual, 1 not, 2 in any case.</summary>
    [JsonPropertyName("gossip_mode"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public byte GossipMode { get; set; }

    /// <summary>The name of the gateway that sends this; null for other connections.</summary>
    [JsonPropertyName("gateway"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Gateway { get; set; }

    /// <summary>Addresses for leaf nodes, <c>host:port</c>; null on ports for others.</summary>
    [JsonPropertyName("leafnode_urls"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string[]? LeafNodeUrls { get; set; }

    /// <summary>The server's curve key.</summary>
    [JsonPropertyName("xkey"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Xkey { get; set; }
}
