namespace Postrider.Broker.Streams;

/// <summary>Discards as the API names them, in any case of letters.</summary>
internal sealed class DiscardPolicyConverter : WordConverter<DiscardPolicy>
{
    /// <inheritdoc/>
    protected override StringComparison Comparison => StringComparison.OrdinalIgnoreCase;
}
