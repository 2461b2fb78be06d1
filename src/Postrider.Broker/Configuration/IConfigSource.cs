namespace Postrider.Broker.Configuration;

/// <summary>Where the parser reads files and environment variables.</summary>
internal interface IConfigSource
{
    /// <summary>Reads the text of a file. Throws the exceptions of the file system.</summary>
    string ReadFile(string path);

    /// <summary>The value of an environment variable, or null.</summary>
    string? ReadEnvironment(string name);
}
