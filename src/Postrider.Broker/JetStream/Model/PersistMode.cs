using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>When a publish counts as stored.</summary>
[JsonConverter(typeof(PersistModeConverter))]
internal enum PersistMode
{
    /// <summary>When the store has written it.</summary>
    [JsonStringEnumMemberName("default")] Default,

    /// <summary>When the store has it in memory.</summary>
    [JsonStringEnumMemberName("async")] Async,
}
