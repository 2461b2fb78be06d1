using System.Text.Json.Serialization;

namespace Postrider.Wire.Frames;

/// <summary>The information of a client in CONNECT.</summary>
/// <remarks>Member names on the wire are the protocol's. Source: NATS client protocol, CONNECT.</remarks>
public sealed record ConnectInfo
{
    /// <summary>Whether the server acknowledges each operation with <c>+OK</c>. True if CONNECT omits it.</summary>
    [JsonPropertyName("verbose")] public bool Verbose { get; set; } = true;

    /// <summary>Whether the server checks the form of published subjects. True if CONNECT omits it.</summary>
    [JsonPropertyName("pedantic")] public bool Pedantic { get; set; } = true;

    /// <summary>Whether the client insists on TLS.</summary>
    [JsonPropertyName("tls_required")] public bool TlsRequired { get; set; }

    /// <summary>The token, if the server requires one.</summary>
    [JsonPropertyName("nkey"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Nkey { get; set; }

    /// <summary>The user's JWT.</summary>
    [JsonPropertyName("jwt"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Jwt { get; set; }

    /// <summary>The server's nonce, signed by the user's key, in URL-safe base64.</summary>
    [JsonPropertyName("sig"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Signature { get; set; }

    /// <summary>The token of a server that asks for one.</summary>
    [JsonPropertyName("auth_token"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Token { get; set; }

    /// <summary>The user's name.</summary>
    [JsonPropertyName("user"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? User { get; set; }

    /// <summary>The user's password.</summary>
    [JsonPropertyName("pass"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Password { get; set; }

    /// <summary>The connection's name, for monitoring.</summary>
    [JsonPropertyName("name"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Name { get; set; }

    /// <summary>The client's language.</summary>
    [JsonPropertyName("lang"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Language { get; set; }

    /// <summary>The client's version.</summary>
    [JsonPropertyName("version"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Version { get; set; }

    /// <summary>0, or 1 when the client understands INFO at any time.</summary>
    [JsonPropertyName("protocol")] public int Protocol { get; set; }

    /// <summary>Whether the client receives its own publishes. True if CONNECT omits it.</summary>
    [JsonPropertyName("echo")] public bool Echo { get; set; } = true;

    /// <summary>Whether the client understands headers.</summary>
    [JsonPropertyName("headers")] public bool Headers { get; set; }

    /// <summary>Whether requests without responders are answered with status 503; needs <see cref="Headers"/>.</summary>
    [JsonPropertyName("no_responders")] public bool NoResponders { get; set; }

    /// <summary>An account requested by name; rejected by current servers.</summary>
    [JsonPropertyName("account"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? Account { get; set; }

    /// <summary>Whether <see cref="Account"/> must be new; rejected by current servers.</summary>
    [JsonPropertyName("new_account"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public bool NewAccount { get; set; }
}
