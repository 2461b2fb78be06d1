using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Converts priority policies to their names in the API.</summary>
internal sealed class PriorityPolicyConverter : EnumStringConverter<PriorityPolicy>
{
    /// <inheritdoc/>
    protected override string Refusal(string json) => $"unknown priority policy: {json}";
}
