using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Converts compressions to their names in the API.</summary>
internal sealed class StreamCompressionConverter : EnumStringConverter<StreamCompression>
{
    /// <inheritdoc/>
    protected override string Refusal(string json) => "unknown compression algorithm";
}
