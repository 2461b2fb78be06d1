namespace Postrider.Broker.Configuration;

/// <summary>Ends the reading of a file at its first syntax error. Never leaves <see cref="ConfigurationFile"/>.</summary>
internal sealed class ConfigSyntaxException(ConfigPosition position, string reason) : Exception($"{position}: {reason}")
{
    /// <summary>Where the error is.</summary>
    internal ConfigPosition Position { get; } = position;
}
