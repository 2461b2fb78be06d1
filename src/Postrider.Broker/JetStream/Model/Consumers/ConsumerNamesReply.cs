using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A page of the names of a stream's consumers.</summary>
internal sealed class ConsumerNamesReply : PagedReply
{
    /// <summary>The names.</summary>
    [JsonPropertyName("consumers")] public string[] Consumers { get; init; } = [];
}
