using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderPipeline;

/// <summary>Where an order stands.</summary>
/// <param name="Step">How far it is.</param>
/// <param name="Text">What was ordered.</param>
/// <param name="Attempts">How often packing began.</param>
/// <param name="Reason">Why it was lost; null otherwise.</param>
public sealed record OrderState(
    OrderStep Step, string Text, long Attempts, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Reason = null)
{
    /// <summary>Whether nothing changes it any more.</summary>
    [JsonIgnore] public bool IsFinal => Step is OrderStep.Packed or OrderStep.Lost;

    /// <summary>Whether this is news to somebody who knows <paramref name="known"/>: events may come twice.</summary>
    public bool IsNewerThan(OrderState known) => !known.IsFinal && (IsFinal || Attempts > known.Attempts);
}
