using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>When a stream lets go of messages.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StreamRetention>))]
public enum StreamRetention
{
    /// <summary>When a limit is reached; acknowledgements do not matter.</summary>
    [JsonStringEnumMemberName("limits")] Limits,

    /// <summary>When every consumer that is interested has acknowledged.</summary>
    [JsonStringEnumMemberName("interest")] Interest,

    /// <summary>When the one consumer that may have it has acknowledged.</summary>
    [JsonStringEnumMemberName("workqueue")] WorkQueue,
}
