namespace Postrider.Broker.Configuration;

/// <summary>Reads the machine's files and the environment of the process.</summary>
internal sealed class SystemConfigSource : IConfigSource
{
    /// <inheritdoc/>
    public string ReadFile(string path) => File.ReadAllText(path);

    /// <inheritdoc/>
    public string? ReadEnvironment(string name) => Environment.GetEnvironmentVariable(name);
}
