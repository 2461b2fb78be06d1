using System.Globalization;

namespace Postrider.ClaimChecks;

/// <summary>Keeps bodies as files in a folder that the processes share.</summary>
/// <remarks>Thread-safe, also across processes. A file is written under another name and then renamed, so that readers never see a partial file.
/// Files that are older than the time are removed by the processes that write, at most once in a tenth of that time.</remarks>
public sealed class FileClaimStore : IClaimStore
{
    private readonly TimeSpan _keepFor;
    private readonly TimeProvider _time;
    private long _nextCleanup;

    /// <summary>Creates a store.</summary>
    /// <param name="folder">The folder; created if it is missing. Nothing else may write into it.</param>
    /// <param name="keepFor">How long a body is kept: longer than any message may wait, including its dead letter. Greater than zero.</param>
    /// <param name="time">The clock; null for the system's. The times of the files are the system's.</param>
    public FileClaimStore(string folder, TimeSpan keepFor, TimeProvider? time = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(keepFor, TimeSpan.Zero);
        (Folder, _keepFor, _time) = (Path.GetFullPath(folder), keepFor, time ?? TimeProvider.System);
        Directory.CreateDirectory(Folder);
    }

    /// <summary>The folder.</summary>
    public string Folder { get; }

    /// <inheritdoc/>
    public async ValueTask PutAsync(string id, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var path = PathOf(id);
        var unfinished = $"{path}.{Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture)}";
        try
        {
            var file = new FileStream(unfinished, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0, FileOptions.Asynchronous);
            await using (file.ConfigureAwait(false))
            {
                await file.WriteAsync(body, ct).ConfigureAwait(false);
                file.Flush(flushToDisk: true);
            }

            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }

        Clean();
    }

    /// <inheritdoc/>
    public async ValueTask<ReadOnlyMemory<byte>?> GetAsync(string id, int maxBytes, CancellationToken ct)
    {
        try
        {
            var file = new FileStream(PathOf(id), FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, bufferSize: 0, FileOptions.Asynchronous);
            await using (file.ConfigureAwait(false))
            {
                if (file.Length > maxBytes)
                    throw new PostriderException(PostriderError.TooLarge, $"The body {id} has {file.Length} bytes; at most {maxBytes} are fetched.");
                var body = new byte[file.Length];
                await file.ReadExactlyAsync(body, ct).ConfigureAwait(false);
                return body;
            }
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public ValueTask RemoveAsync(string id, CancellationToken ct)
    {
        File.Delete(PathOf(id));
        return default;
    }

    private string PathOf(string id)
        => id is not null && ClaimId.IsValid(id)
            ? Path.Join(Folder, id)
            : throw new ArgumentException("The id of a body must be 64 lower-case hexadecimal digits.", nameof(id));

    private void Clean()
    {
        var now = _time.GetUtcNow();
        var next = Volatile.Read(ref _nextCleanup);
        if (now.UtcTicks < next || Interlocked.CompareExchange(ref _nextCleanup, (now + (_keepFor / 10)).UtcTicks, next) != next)
            return;
        foreach (var file in new DirectoryInfo(Folder).EnumerateFiles())
        {
            // Other files in the folder are kept.
            if (file.LastWriteTimeUtc < (now - _keepFor).UtcDateTime && ClaimId.IsValid(file.Name.Split('.')[0]))
                file.Delete();
        }
    }
}
