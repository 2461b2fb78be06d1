using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>How long messages are kept.</summary>
[JsonConverter(typeof(EnumStringConverter<StreamRetention>))]
internal enum StreamRetention
{
    /// <summary>Until a limit removes them.</summary>
    [JsonStringEnumMemberName("limits")] Limits,

    /// <summary>Until every interested consumer has processed them.</summary>
    [JsonStringEnumMemberName("interest")] Interest,

    /// <summary>Until one consumer has processed them.</summary>
    [JsonStringEnumMemberName("workqueue")] WorkQueue,
}
