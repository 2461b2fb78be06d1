using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>Where a stream keeps its messages.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StreamStorage>))]
public enum StreamStorage
{
    /// <summary>On the disk.</summary>
    [JsonStringEnumMemberName("file")] File,

    /// <summary>In memory: gone with the server.</summary>
    [JsonStringEnumMemberName("memory")] Memory,
}
