using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderPipeline;

/// <summary>How far an order is.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<OrderStep>))]
public enum OrderStep
{
    /// <summary>Somebody is at it, or will try again.</summary>
    [JsonStringEnumMemberName("packing")] Packing,

    /// <summary>It is done.</summary>
    [JsonStringEnumMemberName("packed")] Packed,

    /// <summary>It cannot be done.</summary>
    [JsonStringEnumMemberName("lost")] Lost,
}
