using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>When a publish is acknowledged.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PersistMode>))]
public enum PersistMode
{
    /// <summary>After the message has been stored.</summary>
    [JsonStringEnumMemberName("default")] Default,

    /// <summary>Before it is stored: a crash may lose acknowledged messages.</summary>
    [JsonStringEnumMemberName("async")] Asynchronous,
}
