using System.Text.Json.Serialization;

namespace Postrider.Wire.Frames;

/// <summary>The information in the CONNECT of the server that solicits a leaf node connection.</summary>
/// <remarks>Member names and their order on the wire are the protocol's. Source: nats-server, leaf node protocol.</remarks>
public sealed record LeafConnectInfo
{
    /// <summary>The server's version.</summary>
    [JsonPropertyName("version"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Version { get; set; }

    /// <summary>The public nkey of the user, of the form <c>U…</c>.</summary>
    [JsonPropertyName("nkey"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Nkey { get; set; }

    /// <summary>The user's JWT.</summary>
    [JsonPropertyName("jwt"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Jwt { get; set; }

    /// <summary>The nonce of INFO, signed by the user's key, in URL-safe base64.</summary>
    [JsonPropertyName("sig"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Signature { get; set; }

    /// <summary>The user's name.</summary>
    [JsonPropertyName("user"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? User { get; set; }

    /// <summary>The user's password.</summary>
    [JsonPropertyName("pass"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Password { get; set; }

    /// <summary>The token, if the server requires one.</summary>
    [JsonPropertyName("auth_token"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Token { get; set; }

    /// <summary>The server's id.</summary>
    [JsonPropertyName("server_id"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? ServerId { get; set; }

    /// <summary>The server's JetStream domain.</summary>
    [JsonPropertyName("domain"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Domain { get; set; }

    /// <summary>The server's name.</summary>
    [JsonPropertyName("name"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Name { get; set; }

    /// <summary>Whether the server that solicits is the hub.</summary>
    [JsonPropertyName("is_hub"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool IsHub { get; set; }

    /// <summary>The name of the server's cluster; that of the server if it belongs to none.</summary>
    [JsonPropertyName("cluster"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Cluster { get; set; }

    /// <summary>Whether the server understands headers.</summary>
    [JsonPropertyName("headers"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Headers { get; set; }

    /// <summary>Whether its account has JetStream.</summary>
    [JsonPropertyName("jetstream"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool JetStream { get; set; }

    /// <summary>Subjects that the server does not import; null for none.</summary>
    [JsonPropertyName("deny_pub"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string[]? DenyImports { get; set; }

    /// <summary>Whether interest of other leaf nodes must not be sent to it.</summary>
    [JsonPropertyName("isolate"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool Isolate { get; set; }

    /// <summary>The chosen compression: <c>off</c> or <c>not supported</c>.</summary>
    [JsonPropertyName("compress_mode"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Compression { get; set; }

    /// <summary>The name of a gateway that connects to the wrong port.</summary>
    [JsonPropertyName("gateway"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Gateway { get; set; }

    /// <summary>The language of a client that connects to the wrong port.</summary>
    [JsonPropertyName("lang"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Language { get; set; }

    /// <summary>The server's account.</summary>
    [JsonPropertyName("remote_account"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? RemoteAccount { get; set; }

    /// <summary>The version of the protocol that the server understands.</summary>
    [JsonPropertyName("protocol"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int Protocol { get; set; }
}
