namespace Postrider.Broker.Configuration;

/// <summary>Where the parser reads files and environment variables.</summary>
internal interface IConfigSource
{
    /// <summary>The text of a file. Throws what the file system throws.</summary>
    string ReadFile(string path);

    /// <summary>The value of an environment variable, or null.</summary>
    string? ReadEnvironment(string name);
}
