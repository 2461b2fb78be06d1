using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>When a publish is acknowledged.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PersistMode>))]
public enum PersistMode
{
    /// <summary>After the message was stored.</summary>
    [JsonStringEnumMemberName("default")] Default,

    /// <summary>At once: the store follows, and a crash may lose what was acknowledged.</summary>
    [JsonStringEnumMemberName("async")] Asynchronous,
}
