using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>How long messages stay.</summary>
[JsonConverter(typeof(EnumStringConverter<StreamRetention>))]
internal enum StreamRetention
{
    /// <summary>Until a limit pushes them out.</summary>
    [JsonStringEnumMemberName("limits")] Limits,

    /// <summary>Until every consumer that wants them is done.</summary>
    [JsonStringEnumMemberName("interest")] Interest,

    /// <summary>Until one consumer is done.</summary>
    [JsonStringEnumMemberName("workqueue")] WorkQueue,
}
