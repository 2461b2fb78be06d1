using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Converts persist modes to their names in the API; a missing name means the first mode.</summary>
internal sealed class PersistModeConverter : EnumStringConverter<PersistMode>
{
    /// <inheritdoc/>
    protected override bool TryOther(string text, out PersistMode value)
    {
        value = PersistMode.Default;
        return text.Length == 0;
    }
}
