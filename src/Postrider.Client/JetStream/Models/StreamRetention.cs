using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>When messages of a stream are deleted.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StreamRetention>))]
public enum StreamRetention
{
    /// <summary>A message is deleted when a limit is reached, regardless of acknowledgements.</summary>
    [JsonStringEnumMemberName("limits")] Limits,

    /// <summary>A message is deleted when all interested consumers have acknowledged it.</summary>
    [JsonStringEnumMemberName("interest")] Interest,

    /// <summary>A message is deleted when its only consumer has acknowledged it.</summary>
    [JsonStringEnumMemberName("workqueue")] WorkQueue,
}
