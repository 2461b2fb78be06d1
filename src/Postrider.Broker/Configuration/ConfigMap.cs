namespace Postrider.Broker.Configuration;

/// <summary>Keys with their values, in the order of the file; a key written twice keeps its last value.</summary>
internal sealed class ConfigMap : OrderedDictionary<string, ConfigValue>
{
    internal ConfigMap() : base(StringComparer.Ordinal)
    {
    }
}
