using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Converts deliver policies to their names in the API; <c>undefined</c> is the first one.</summary>
internal sealed class DeliverPolicyConverter : EnumStringConverter<DeliverPolicy>
{
    /// <inheritdoc/>
    protected override bool TryOther(string text, out DeliverPolicy value)
    {
        value = DeliverPolicy.All;
        return text == "undefined";
    }
}
