namespace Postrider.Broker.Configuration;

/// <summary>Thrown at the first syntax error of a file. Never leaves <see cref="ConfigurationFile"/>.</summary>
internal sealed class ConfigSyntaxException(ConfigPosition position, string reason) : Exception($"{position}: {reason}")
{
    /// <summary>The position of the error.</summary>
    internal ConfigPosition Position { get; } = position;
}
