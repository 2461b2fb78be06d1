using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Preferences as the API names them.</summary>
internal sealed class PriorityPolicyConverter : EnumStringConverter<PriorityPolicy>
{
    /// <inheritdoc/>
    protected override string Refusal(string json) => $"unknown priority policy: {json}";
}
