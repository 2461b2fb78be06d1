using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The server that requests an authorization callout.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Host">The address that it listens on.</param>
/// <param name="Id">Its public key, <c>N…</c>: the audience of the response.</param>
public sealed record AuthorizationServer(string Name, string Host, string Id)
{
    /// <summary>Its version; null for none.</summary>
    public string? Version { get; init; }

    /// <summary>Its cluster; null for none.</summary>
    public string? Cluster { get; init; }

    /// <summary>Its tags.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>Its public curve key, <c>X…</c>, with which responses are encrypted; null if requests are not encrypted.</summary>
    public string? CurveKey { get; init; }

    internal static AuthorizationServer Read(ClaimsReader reader) => new(reader.Text("name") ?? "", reader.Text("host") ?? "", reader.Text("id") ?? "")
    {
        Version = reader.Text("version"),
        Cluster = reader.Text("cluster"),
        Tags = reader.Texts("tags"),
        CurveKey = reader.Text("xkey"),
    };

    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("server_id");
        writer.WriteString("name", Name);
        writer.WriteString("host", Host);
        writer.WriteString("id", Id);
        writer.Text("version", Version);
        writer.Text("cluster", Cluster);
        writer.Texts("tags", Tags);
        writer.Text("xkey", CurveKey);
        writer.WriteEndObject();
    }
}
