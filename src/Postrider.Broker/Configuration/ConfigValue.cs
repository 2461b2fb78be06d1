namespace Postrider.Broker.Configuration;

/// <summary>One value of a configuration file with its position.</summary>
/// <remarks><see cref="Content"/> is a string, long, double, bool, DateTimeOffset, <see cref="ConfigMap"/> or a list of values.
/// The position of a key's value is that of the key, because that is what a reader looks for.</remarks>
internal sealed class ConfigValue(object content, ConfigPosition position)
{
    internal object Content { get; } = content;

    internal ConfigPosition Position { get; } = position;

    /// <summary>Whether a <c>$reference</c> used this value: its key need not be a known one.</summary>
    internal bool IsReferenced { get; set; }

    /// <summary>The type of the value, for messages.</summary>
    internal string KindName => Content switch
    {
        string => "a string",
        long => "an integer",
        double => "a float",
        bool => "a boolean",
        DateTimeOffset => "a date",
        ConfigMap => "a map",
        _ => "an array",
    };

    internal ConfigValue At(ConfigPosition position) => new(Content, position);
}
