using Postrider.Storage.Faults;

namespace Postrider.Storage.Files;

/// <summary>A server's exclusive lock on the folder of its streams: two servers that write the same blocks would destroy them.</summary>
/// <remarks>It is the system's lock on a file in the folder, so it ends with its process, however that ends; the file is kept.
/// A file system without locks is not protected. Not thread-safe.</remarks>
internal sealed class StoreLock : IDisposable
{
    /// <summary>The file that is locked.</summary>
    public const string FileName = "server.lock";

    // The error for a file that another process has locked: EAGAIN on Linux, that of macOS, a sharing violation on Windows.
    private const int TakenLinux = 11;
    private const int TakenMac = 35;
    private const int TakenWindows = unchecked((int)0x80070020);

    private readonly FileStream? _file;

    private StoreLock(FileStream? file, string? problem) => (_file, Problem) = (file, problem);

    /// <summary>Why the folder could be neither locked nor written, such as a disk that is read-only or full; null if it is locked.</summary>
    public string? Problem { get; }

    /// <summary>Locks a folder, and creates it if it does not exist.</summary>
    /// <param name="folder">Its path.</param>
    /// <exception cref="IOException">Another server has locked it, or it cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be created.</exception>
    public static StoreLock Acquire(string folder)
    {
        Create(folder);
        try
        {
            return new StoreLock(new FileStream(Path.Combine(folder, FileName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None), null);
        }
        catch (IOException error) when (error.HResult is TakenLinux or TakenMac or TakenWindows)
        {
            throw new IOException("another server uses this folder. Stop it, or use a different folder.", error);
        }
        catch (Exception error) when (DiskErrors.IsDiskError(error))
        {
            // The existing streams can still be read.
            return new StoreLock(null, error.Message);
        }
    }

    private static void Create(string folder)
    {
        try
        {
            Directory.CreateDirectory(folder);
        }
        catch (IOException error)
        {
            for (var path = folder; !string.IsNullOrEmpty(path); path = Path.GetDirectoryName(path))
                if (File.Exists(path)) throw new IOException($"'{path}' is a file, not a folder.", error);
            throw;
        }
    }

    /// <summary>Releases the lock.</summary>
    public void Dispose() => _file?.Dispose();
}
