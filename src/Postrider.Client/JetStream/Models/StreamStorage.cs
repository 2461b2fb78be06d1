using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>The storage of a stream.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StreamStorage>))]
public enum StreamStorage
{
    /// <summary>On disk.</summary>
    [JsonStringEnumMemberName("file")] File,

    /// <summary>In memory: lost when the server stops.</summary>
    [JsonStringEnumMemberName("memory")] Memory,
}
