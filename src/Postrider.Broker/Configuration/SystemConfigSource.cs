namespace Postrider.Broker.Configuration;

/// <summary>The machine's files and the process's environment.</summary>
internal sealed class SystemConfigSource : IConfigSource
{
    /// <inheritdoc/>
    public string ReadFile(string path) => File.ReadAllText(path);

    /// <inheritdoc/>
    public string? ReadEnvironment(string name) => Environment.GetEnvironmentVariable(name);
}
