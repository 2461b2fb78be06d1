using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderPipeline;

/// <summary>The progress of an order.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<OrderStep>))]
public enum OrderStep
{
    /// <summary>It is being packed, or will be tried again.</summary>
    [JsonStringEnumMemberName("packing")] Packing,

    /// <summary>It is packed.</summary>
    [JsonStringEnumMemberName("packed")] Packed,

    /// <summary>It cannot be packed.</summary>
    [JsonStringEnumMemberName("lost")] Lost,
}
