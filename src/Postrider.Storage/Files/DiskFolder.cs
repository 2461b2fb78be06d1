using System.Runtime.InteropServices;

namespace Postrider.Storage.Files;

/// <summary>A folder of the operating system.</summary>
/// <remarks>Files are opened so that other handles may rename and delete them: on Windows too a block can be replaced while it
/// is read. Thread-safe.</remarks>
internal sealed partial class DiskFolder(string path) : IStoreFolder
{
    /// <inheritdoc/>
    public string Path { get; } = System.IO.Path.GetFullPath(path);

    /// <inheritdoc/>
    public bool Exists => Directory.Exists(Path);

    /// <inheritdoc/>
    public void Ensure() => Directory.CreateDirectory(Path);

    /// <inheritdoc/>
    public bool Has(string name) => File.Exists(Full(name));

    /// <inheritdoc/>
    public IReadOnlyList<string> Files()
        => Directory.Exists(Path) ? [.. Directory.EnumerateFiles(Path).Select(f => System.IO.Path.GetFileName(f)!)] : [];

    /// <inheritdoc/>
    public IReadOnlyList<string> Folders()
        => Directory.Exists(Path) ? [.. Directory.EnumerateDirectories(Path).Select(f => System.IO.Path.GetFileName(f)!)] : [];

    /// <inheritdoc/>
    public IStoreFolder Folder(string name) => new DiskFolder(Full(name));

    /// <inheritdoc/>
    public IStoreFile Open(string name, bool writable)
        => new DiskFile(File.OpenHandle(
            Full(name),
            FileMode.Open,
            writable ? FileAccess.ReadWrite : FileAccess.Read,
            FileShare.ReadWrite | FileShare.Delete));

    /// <inheritdoc/>
    public IStoreFile Create(string name)
        => new DiskFile(File.OpenHandle(Full(name), FileMode.Create, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete));

    /// <inheritdoc/>
    public void Rename(string from, string to) => File.Move(Full(from), Full(to), overwrite: true);

    /// <inheritdoc/>
    public void Delete(string name)
    {
        if (Directory.Exists(Path))
        {
            File.Delete(Full(name));
        }
    }

    /// <inheritdoc/>
    public void DeleteAll()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }

    /// <inheritdoc/>
    public void Sync()
    {
        // Windows writes entries through with the file; elsewhere a folder is flushed like a file.
        if (OperatingSystem.IsWindows() || !Directory.Exists(Path))
        {
            return;
        }

        var descriptor = OpenFolder(Path, 0);
        if (descriptor < 0)
        {
            throw new IOException($"Cannot open folder {Path} for flushing: error {Marshal.GetLastPInvokeError()}.");
        }

        var failed = FlushFolder(descriptor) != 0;
        var error = Marshal.GetLastPInvokeError();
        _ = CloseFolder(descriptor);
        if (failed)
        {
            throw new IOException($"Cannot flush folder {Path}: error {error}.");
        }
    }

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int OpenFolder(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int FlushFolder(int descriptor);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int CloseFolder(int descriptor);

    private string Full(string name) => System.IO.Path.Combine(Path, name);
}
