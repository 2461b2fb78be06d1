using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Compressions as the API names them.</summary>
internal sealed class StreamCompressionConverter : EnumStringConverter<StreamCompression>
{
    /// <inheritdoc/>
    protected override string Refusal(string json) => "unknown compression algorithm";
}
