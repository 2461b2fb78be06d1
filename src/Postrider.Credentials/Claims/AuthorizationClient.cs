using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The connection that an authorization callout decides about.</summary>
public sealed record AuthorizationClient
{
    /// <summary>Its address; null for none.</summary>
    public string? Host { get; init; }

    /// <summary>The server's number of the connection.</summary>
    public long Id { get; init; }

    /// <summary>The user's name; null for none.</summary>
    public string? User { get; init; }

    /// <summary>The client's name; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>The tags of the connected user; empty for none.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>The name of the connected user; null for none.</summary>
    public string? NameTag { get; init; }

    /// <summary>The kind of connection: <c>Client</c>.</summary>
    public string? Kind { get; init; }

    /// <summary>Its protocol: <c>nats</c> or <c>websocket</c>.</summary>
    public string? Type { get; init; }

    /// <summary>The nonce that it signed; null if it signed nothing.</summary>
    public string? Nonce { get; init; }

    internal static AuthorizationClient Read(ClaimsReader reader) => new()
    {
        Host = reader.Text("host"),
        Id = reader.Number("id"),
        User = reader.Text("user"),
        Name = reader.Text("name"),
        Tags = reader.Texts("tags"),
        NameTag = reader.Text("name_tag"),
        Kind = reader.Text("kind"),
        Type = reader.Text("type"),
        Nonce = reader.Text("nonce"),
    };

    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("client_info");
        writer.Text("host", Host);
        writer.Number("id", Id);
        writer.Text("user", User);
        writer.Text("name", Name);
        writer.Texts("tags", Tags);
        writer.Text("name_tag", NameTag);
        writer.Text("kind", Kind);
        writer.Text("type", Type);
        writer.Text("nonce", Nonce);
        writer.WriteEndObject();
    }
}
