namespace Postrider.Broker.Configuration;

/// <summary>Names the type of a value as nats-server's messages do.</summary>
internal static class GoTypeName
{
    /// <summary>The name.</summary>
    internal static string Of(ConfigValue value) => value.Content switch
    {
        string => "string",
        long => "int64",
        double => "float64",
        bool => "bool",
        DateTimeOffset => "time.Time",
        ConfigMap => "map[string]interface {}",
        _ => "[]interface {}",
    };
}
