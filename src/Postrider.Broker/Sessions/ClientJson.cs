using System.Text.Json;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Writes the client that an event is about: the member <c>client</c>.</summary>
/// <remarks>Source: nats-server's <c>ClientInfo</c> of events.</remarks>
internal static class ClientJson
{
    /// <summary>Writes the member.</summary>
    /// <param name="json">Within an object.</param>
    /// <param name="session">The client's session.</param>
    /// <param name="stopped">When the session ended; null while it is open.</param>
    public static void Write(Utf8JsonWriter json, ClientSession session, DateTimeOffset? stopped)
    {
        var connect = session.State.Connect ?? new ConnectInfo();
        var token = session.State.TokenUser;
        json.WriteStartObject("client");
        json.WriteString("start", session.StartedAt.UtcDateTime);
        WriteText(json, "host", session.RemoteAddress);
        json.WriteNumber("id", session.Id);
        json.WriteString("acc", session.AccountName);
        WriteText(json, "user", session.State.NameIn(connect));
        WriteText(json, "name", connect.Name);
        WriteText(json, "lang", connect.Language);
        WriteText(json, "ver", connect.Version);
        // In nanoseconds, as nats-server writes durations.
        if (stopped is not null && session.RoundTrip > TimeSpan.Zero) json.WriteNumber("rtt", session.RoundTrip.Ticks * 100);
        if (stopped is { } stop) json.WriteString("stop", stop.UtcDateTime);
        WriteText(json, "jwt", connect.Jwt);
        WriteText(json, "issuer_key", session.State.IssuerKey);
        json.WriteString("name_tag", session.State.Account.NameTag);
        if (token?.Grant.User.Tags is { Count: > 0 } tags)
        {
            json.WriteStartArray("tags");
            foreach (var tag in tags) json.WriteStringValue(tag);
            json.WriteEndArray();
        }
        json.WriteString("kind", "Client");
        json.WriteString("client_type", session.WebSocket is null ? "nats" : "websocket");
        json.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value)) json.WriteString(name, value);
    }
}
