using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>Where messages are kept.</summary>
[JsonConverter(typeof(WordConverter<StorageType>))]
internal enum StorageType
{
    /// <summary>On the disk.</summary>
    [JsonStringEnumMemberName("file")] File,

    /// <summary>In memory, until the broker stops.</summary>
    [JsonStringEnumMemberName("memory")] Memory,
}
