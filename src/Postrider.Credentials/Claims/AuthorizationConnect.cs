using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The contents of a client's CONNECT, including its secrets.</summary>
public sealed record AuthorizationConnect
{
    /// <summary>The user's token (JWT); null for none.</summary>
    public string? Jwt { get; init; }

    /// <summary>The user's public key; null for none.</summary>
    public string? Nkey { get; init; }

    /// <summary>The signature of the nonce; null for none.</summary>
    public string? Signature { get; init; }

    /// <summary>A secret token; null for none.</summary>
    public string? Token { get; init; }

    /// <summary>The user's name; null for none.</summary>
    public string? User { get; init; }

    /// <summary>The password; null for none.</summary>
    public string? Password { get; init; }

    /// <summary>The client's name; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>The language of its library; null for none.</summary>
    public string? Language { get; init; }

    /// <summary>The version of its library; null for none.</summary>
    public string? Version { get; init; }

    /// <summary>The version of the protocol.</summary>
    public int Protocol { get; init; }

    internal static AuthorizationConnect Read(ClaimsReader reader) => new()
    {
        Jwt = reader.Text("jwt"),
        Nkey = reader.Text("nkey"),
        Signature = reader.Text("sig"),
        Token = reader.Text("auth_token"),
        User = reader.Text("user"),
        Password = reader.Text("pass"),
        Name = reader.Text("name"),
        Language = reader.Text("lang"),
        Version = reader.Text("version"),
        Protocol = (int)reader.Number("protocol"),
    };

    /// <summary>The members without secrets.</summary>
    public override string ToString() => $"user {User}, name {Name}";

    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("connect_opts");
        writer.Text("jwt", Jwt);
        writer.Text("nkey", Nkey);
        writer.Text("sig", Signature);
        writer.Text("auth_token", Token);
        writer.Text("user", User);
        writer.Text("pass", Password);
        writer.Text("name", Name);
        writer.Text("lang", Language);
        writer.Text("version", Version);
        writer.WriteNumber("protocol", Protocol);
        writer.WriteEndObject();
    }
}
