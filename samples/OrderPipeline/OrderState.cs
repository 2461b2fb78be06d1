using System.Text.Json.Serialization;

namespace Postrider.Samples.OrderPipeline;

/// <summary>The state of an order.</summary>
/// <param name="Step">Its progress.</param>
/// <param name="Text">The ordered items.</param>
/// <param name="Attempts">The number of attempts to pack it.</param>
/// <param name="Reason">The reason why it was lost; null otherwise.</param>
public sealed record OrderState(
    OrderStep Step, string Text, long Attempts, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Reason = null)
{
    /// <summary>Whether it is final.</summary>
    [JsonIgnore] public bool IsFinal => Step is OrderStep.Packed or OrderStep.Lost;

    /// <summary>Whether this is newer than <paramref name="known"/>: events may arrive twice.</summary>
    public bool IsNewerThan(OrderState known) => !known.IsFinal && (IsFinal || Attempts > known.Attempts);
}
