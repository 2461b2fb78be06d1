using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Converts discard policies to their names in the API, case-insensitively.</summary>
internal sealed class DiscardPolicyConverter : EnumStringConverter<DiscardPolicy>
{
    /// <inheritdoc/>
    protected override StringComparison Comparison => StringComparison.OrdinalIgnoreCase;
}
