using Postrider.Broker.Configuration;

namespace Postrider.UnitTests.Broker.Configuration;

/// <summary>Files and environment variables of one test.</summary>
internal sealed class MemoryConfigSource : IConfigSource
{
    internal Dictionary<string, string> Files { get; } = new(StringComparer.Ordinal);

    internal Dictionary<string, string> Environment { get; } = new(StringComparer.Ordinal);

    public string ReadFile(string path) =>
        Files.TryGetValue(path, out var text) ? text : throw new FileNotFoundException($"no file {path}");

    public string? ReadEnvironment(string name) => Environment.GetValueOrDefault(name);
}
