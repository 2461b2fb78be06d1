using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Modes as the API names them; no name is the first one.</summary>
internal sealed class PersistModeConverter : EnumStringConverter<PersistMode>
{
    /// <inheritdoc/>
    protected override bool TryOther(string text, out PersistMode value)
    {
        value = PersistMode.Default;
        return text.Length == 0;
    }
}
