using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Where messages are stored.</summary>
[JsonConverter(typeof(EnumStringConverter<StreamStorage>))]
internal enum StreamStorage
{
    /// <summary>On the disk.</summary>
    [JsonStringEnumMemberName("file")] File,

    /// <summary>In memory, until the broker stops.</summary>
    [JsonStringEnumMemberName("memory")] Memory,
}
