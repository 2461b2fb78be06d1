using Postrider.Client.JetStream;

namespace Postrider.CommandLine.Verbs;

/// <summary>A folder with a stream's backup: the stream's description and its archive. The files get their names when the backup is complete,
/// so an interrupted backup leaves the previous one in place.</summary>
/// <remarks>Not thread-safe.</remarks>
/// <param name="path">The folder.</param>
internal sealed class BackupFolder(string path)
{
    /// <summary>The file that describes the stream; written last.</summary>
    public const string TextName = "backup.json";

    /// <summary>The file with its messages and consumers.</summary>
    public const string ArchiveName = "stream.tar.s2";

    private const string Unfinished = ".part";

    /// <summary>Writes a backup and replaces the existing one.</summary>
    /// <param name="take">Writes the archive and returns its stream.</param>
    /// <param name="ct">Gives up; nothing has changed then.</param>
    /// <returns>The backup's description, and the size of its archive in bytes.</returns>
    public async Task<(StreamBackup Backup, long Bytes)> WriteAsync(Func<Stream, Task<StreamBackup>> take, CancellationToken ct)
    {
        Directory.CreateDirectory(path);
        var (text, archive) = (Path.Combine(path, TextName), Path.Combine(path, ArchiveName));
        try
        {
            StreamBackup backup;
            long bytes;
            await using (var target = File.Create(archive + Unfinished))
            {
                backup = await take(target);
                target.Flush(flushToDisk: true);
                bytes = target.Length;
            }
            await File.WriteAllTextAsync(text + Unfinished, ApiText.Write(backup), ct);
            File.Move(archive + Unfinished, archive, overwrite: true);
            File.Move(text + Unfinished, text, overwrite: true);
            return (backup, bytes);
        }
        finally
        {
            File.Delete(archive + Unfinished);
            File.Delete(text + Unfinished);
        }
    }

    /// <summary>Reads a backup's description.</summary>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="IOException">There is no backup, or no complete one.</exception>
    public async Task<StreamBackup> ReadAsync(CancellationToken ct)
    {
        var (text, archive) = (Path.Combine(path, TextName), Path.Combine(path, ArchiveName));
        var missing = !Directory.Exists(path) ? "it does not exist" : !File.Exists(text) ? $"it has no {TextName}" : !File.Exists(archive) ? $"it has no {ArchiveName}" : null;
        if (missing is not null) throw new FileNotFoundException($"{path} does not contain a complete backup: {missing}. Use 'postrider stream backup' to create one.");
        return ApiText.ReadStreamBackup(await File.ReadAllTextAsync(text, ct));
    }

    /// <summary>Opens the archive for reading.</summary>
    public FileStream OpenArchive() => File.OpenRead(Path.Combine(path, ArchiveName));
}
