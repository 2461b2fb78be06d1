using System.Text.Json;

namespace Postrider.Broker.Sessions;

/// <summary>Writes the client that an event is about: the member <c>client</c>.</summary>
/// <remarks>Source: nats-server, events of the system account.</remarks>
internal static class ClientJson
{
    /// <summary>Writes the member.</summary>
    /// <param name="json">Within an object.</param>
    /// <param name="connection">The client's connection.</param>
    /// <param name="stopped">When the session ended; null while it is open.</param>
    public static void Write(Utf8JsonWriter json, EventConnection connection, DateTimeOffset? stopped)
    {
        var info = connection.Info;
        json.WriteStartObject("client");
        json.WriteString("start", info.StartedAt.UtcDateTime);
        WriteText(json, "host", info.RemoteAddress);
        json.WriteNumber("id", info.Id);
        json.WriteString("acc", info.Account);
        WriteText(json, "user", connection.User);
        WriteText(json, "name", info.Name);
        WriteText(json, "lang", info.Language);
        WriteText(json, "ver", info.Version);
        // In nanoseconds, as nats-server writes durations.
        if (stopped is not null && info.RoundTrip > TimeSpan.Zero) json.WriteNumber("rtt", info.RoundTrip.Ticks * 100);
        if (stopped is { } stop) json.WriteString("stop", stop.UtcDateTime);
        WriteText(json, "jwt", connection.Token);
        WriteText(json, "issuer_key", info.IssuerKey);
        WriteText(json, "name_tag", info.AccountTag);
        if (info.Tags is { Count: > 0 } tags)
        {
            json.WriteStartArray("tags");
            foreach (var tag in tags) json.WriteStringValue(tag);
            json.WriteEndArray();
        }
        json.WriteString("kind", info.Kind);
        WriteText(json, "client_type", info.Type);
        json.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value)) json.WriteString(name, value);
    }
}
