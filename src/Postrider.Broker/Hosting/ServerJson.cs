using System.Text.Json;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Writes who answers: the member <c>server</c> of what the system account's services say.</summary>
internal static class ServerJson
{
    /// <summary>Writes the member.</summary>
    public static void Write(Utf8JsonWriter json, SessionContext context)
    {
        var info = context.Info;
        json.WriteStartObject("server");
        json.WriteString("name", info.ServerName);
        json.WriteString("host", info.Host);
        json.WriteString("id", info.ServerId);
        json.WriteString("ver", info.Version);
        if (context.Options.ServerTags.Count > 0)
        {
            json.WriteStartArray("tags");
            foreach (var tag in context.Options.ServerTags) json.WriteStringValue(tag);
            json.WriteEndArray();
        }
        json.WriteBoolean("jetstream", info.JetStream);
        json.WriteNumber("flags", 0);
        json.WriteNumber("seq", 0);
        json.WriteString("time", context.Time.GetUtcNow().UtcDateTime);
        json.WriteEndObject();
    }
}
