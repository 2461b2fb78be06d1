using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A page of a stream's consumers.</summary>
internal sealed class ConsumerListReply : PagedReply
{
    /// <summary>The consumers.</summary>
    [JsonPropertyName("consumers")] public ConsumerInfo[] Consumers { get; init; } = [];
}
