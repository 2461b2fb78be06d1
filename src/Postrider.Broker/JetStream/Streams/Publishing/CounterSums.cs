using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Sums of counters that messages of a batch will reach, by the subject's <see cref="ByteKey.Of"/>.</summary>
internal sealed class CounterSums : Dictionary<string, (DecimalInteger Sum, Dictionary<string, Dictionary<string, string>> Sources)>
{
    public CounterSums()
        : base(StringComparer.Ordinal)
    {
    }
}
