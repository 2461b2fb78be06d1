using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Discards as the API names them, in any case of letters.</summary>
internal sealed class DiscardPolicyConverter : EnumStringConverter<DiscardPolicy>
{
    /// <inheritdoc/>
    protected override StringComparison Comparison => StringComparison.OrdinalIgnoreCase;
}
