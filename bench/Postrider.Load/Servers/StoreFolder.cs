namespace Postrider.Load.Servers;

/// <summary>A new folder for the streams of one server; deleted at the end.</summary>
internal sealed class StoreFolder : IDisposable
{
    /// <summary>Name of a configuration file that stands in the folder for its server.</summary>
    public const string Configuration = "server.conf";

    public StoreFolder(string root)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetFullPath(root), $"store-{Guid.NewGuid():N}");
        Directory.CreateDirectory(Path);
    }

    public string Path { get; }

    /// <summary>Writes the configuration file that <see cref="ServerSpec.WithConfiguration"/> names.</summary>
    public void WriteConfiguration(string text) => File.WriteAllText(System.IO.Path.Combine(Path, Configuration), text);

    /// <summary>Deletes what a server can make again from its blocks: it shall start without an index.</summary>
    public void DeleteIndexes()
    {
        foreach (var folder in Directory.EnumerateDirectories(Path, "msgs", SearchOption.AllDirectories))
        {
            foreach (var file in Directory.EnumerateFiles(folder).Where(file => System.IO.Path.GetExtension(file) != ".blk").ToArray())
                File.Delete(file);
        }
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
