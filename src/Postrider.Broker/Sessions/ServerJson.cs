using System.Text.Json;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Sessions;

/// <summary>Writes the member <c>server</c> of messages that the broker publishes in the system account.</summary>
/// <remarks>Source: nats-server, events of the system account.</remarks>
internal static class ServerJson
{
    // JetStream is enabled, snapshots are archives, and replicas would have their own subjects in each account.
    private const int JetStreamFlags = 7;

    /// <summary>Writes the member.</summary>
    public static void Write(Utf8JsonWriter json, SessionContext context)
    {
        json.WriteStartObject("server");
        WriteMembers(json, context);
        json.WriteEndObject();
    }

    /// <summary>Writes only its members, of which some events consist.</summary>
    public static void WriteMembers(Utf8JsonWriter json, SessionContext context)
    {
        var (info, options) = (context.Info, context.Options);
        json.WriteString("name", info.ServerName);
        json.WriteString("host", info.Host);
        json.WriteString("id", info.ServerId);
        if (context.ShownCluster is { } cluster) json.WriteString("cluster", cluster);
        if (!string.IsNullOrEmpty(info.Domain)) json.WriteString("domain", info.Domain);
        json.WriteString("ver", info.Version);
        if (options.ServerTags.Count > 0)
        {
            json.WriteStartArray("tags");
            foreach (var tag in options.ServerTags) json.WriteStringValue(tag);
            json.WriteEndArray();
        }
        if (options.ServerMetadata.Count > 0)
        {
            json.WriteStartObject("metadata");
            foreach (var (key, value) in options.ServerMetadata) json.WriteString(key, value);
            json.WriteEndObject();
        }
        json.WriteStartObject("feature_flags");
        foreach (var (name, isOn) in BrokerMonitor.FeatureFlags) json.WriteBoolean(name, isOn);
        json.WriteEndObject();
        json.WriteBoolean("jetstream", info.JetStream);
        json.WriteNumber("flags", info.JetStream ? JetStreamFlags : 0);
        json.WriteNumber("seq", context.NextEventSequence());
        json.WriteString("time", context.Time.GetUtcNow().UtcDateTime);
    }
}
