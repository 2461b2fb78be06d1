using System.Text.Json.Serialization;

namespace Postrider.Wire.Frames;

/// <summary>The information in the CONNECT of the server that solicits a route.</summary>
/// <remarks>Member names and their order on the wire are the protocol's. Source: nats-server, route protocol.</remarks>
public sealed record RouteConnectInfo
{
    /// <summary>Always true.</summary>
    [JsonPropertyName("echo")] public bool Echo { get; set; } = true;

    /// <summary>Whether operations are acknowledged with +OK.</summary>
    [JsonPropertyName("verbose")] public bool Verbose { get; set; }

    /// <summary>Whether subjects are checked.</summary>
    [JsonPropertyName("pedantic")] public bool Pedantic { get; set; }

    /// <summary>The user's name.</summary>
    [JsonPropertyName("user"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? User { get; set; }

    /// <summary>The user's password.</summary>
    [JsonPropertyName("pass"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Password { get; set; }

    /// <summary>Whether the connection is encrypted.</summary>
    [JsonPropertyName("tls_required")] public bool TlsRequired { get; set; }

    /// <summary>Whether the server understands headers.</summary>
    [JsonPropertyName("headers")] public bool Headers { get; set; }

    /// <summary>The server's id.</summary>
    [JsonPropertyName("name")] public string? Name { get; set; }

    /// <summary>The cluster's name.</summary>
    [JsonPropertyName("cluster")] public string? Cluster { get; set; }

    /// <summary>Whether the cluster's name may change.</summary>
    [JsonPropertyName("cluster_dynamic"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool ClusterDynamic { get; set; }

    /// <summary>Whether the server understands interest of leaf nodes with their cluster.</summary>
    [JsonPropertyName("lnoc"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool LeafNodeOrigin { get; set; }

    /// <summary>Whether the server also supports the cluster's name at the end of such interest.</summary>
    [JsonPropertyName("lnocu"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool LeafNodeOriginOfEnds { get; set; }

    /// <summary>The name of a gateway that connects to the wrong port.</summary>
    [JsonPropertyName("gateway"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Gateway { get; set; }

    /// <summary>The language of a client that connects to the wrong port.</summary>
    [JsonPropertyName("lang"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Language { get; set; }
}
