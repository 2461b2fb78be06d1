using Postrider.Storage.Files;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Folders in memory, each a <see cref="SimulatedDisk"/> for its files.</summary>
internal sealed class SimulatedTree(string path = "/simulated", SimulatedDisk? disk = null) : IStoreFolder
{
    private readonly Dictionary<string, SimulatedTree> _folders = [];

    public string Path { get; } = path;

    /// <summary>The folder that it is in.</summary>
    public SimulatedTree? Parent { get; init; }

    /// <summary>The folder's own files.</summary>
    public SimulatedDisk Disk { get; } = disk ?? new SimulatedDisk();

    public IReadOnlyList<string> Files() => Disk.Files();

    public IReadOnlyList<string> Folders() => [.. _folders.Where(static pair => pair.Value.IsUsed).Select(static pair => pair.Key).Order()];

    public IStoreFolder Folder(string name) => Child(name);

    /// <summary>A folder in it.</summary>
    public SimulatedTree Child(params ReadOnlySpan<string> names)
    {
        var folder = this;
        foreach (var name in names)
        {
            if (!folder._folders.TryGetValue(name, out var child)) folder._folders[name] = child = new SimulatedTree($"{folder.Path}/{name}") { Parent = folder };
            folder = child;
        }
        return folder;
    }

    /// <summary>What the next process finds when this one is killed now.</summary>
    public SimulatedTree Copy()
    {
        var copy = new SimulatedTree(Path, Disk.Copy());
        foreach (var (name, folder) in _folders) copy._folders[name] = folder.Copy();
        return copy;
    }

    /// <summary>What a machine finds that lost its power now.</summary>
    public SimulatedTree PowerCut(Random random)
    {
        var after = new SimulatedTree(Path, Disk.PowerCut(random));
        foreach (var (name, folder) in _folders) after._folders[name] = folder.PowerCut(random);
        return after;
    }

    /// <summary>This folder and all below it.</summary>
    public IEnumerable<SimulatedTree> All() => _folders.Values.SelectMany(static folder => folder.All()).Prepend(this);

    public bool Exists => Disk.Exists;

    public void Ensure()
    {
        Disk.Ensure();
        Parent?.Ensure();
    }

    public bool Has(string name) => Disk.Has(name);

    /// <summary>Removes the folder and all below it, as an operator may while they are in use.</summary>
    public void RemoveAll()
    {
        foreach (var folder in All()) folder.Disk.IsRemoved = true;
    }

    public IStoreFile Open(string name, bool writable) => Disk.Open(name, writable);

    public IStoreFile Create(string name) => Disk.Create(name);

    public void Rename(string from, string to) => Disk.Rename(from, to);

    public void Delete(string name) => Disk.Delete(name);

    public void DeleteAll()
    {
        _folders.Clear();
        Disk.DeleteAll();
    }

    public void Sync() => Disk.Sync();

    private bool IsUsed => Disk.Files().Count > 0 || _folders.Values.Any(static folder => folder.IsUsed);
}
