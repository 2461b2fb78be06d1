using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Backups in a folder are whole, or those of before.</summary>
public sealed class BackupFolderTests : IDisposable
{
    private static readonly CancellationToken Ct = CancellationToken.None;

    private readonly string _path = Directory.CreateTempSubdirectory("postrider-backup-").FullName;

    [Fact]
    public async Task Backup_that_is_broken_off_leaves_the_one_before()
    {
        var folder = new BackupFolder(_path);
        await folder.WriteAsync(archive => TakeAsync("FIRST", archive, [1, 2, 3]), Ct);

        await Assert.ThrowsAsync<IOException>(() => folder.WriteAsync(BreakOffAsync, Ct));
        var left = await folder.ReadAsync(Ct);
        await using var archive = folder.OpenArchive();

        Assert.Equal("FIRST", left.Config.Name);
        Assert.Equal(3, archive.Length);
        Assert.Equal([BackupFolder.TextName, BackupFolder.ArchiveName], Directory.GetFiles(_path).Select(Path.GetFileName).Order());
    }

    [Fact]
    public async Task Next_backup_takes_the_place_of_the_one_before()
    {
        var folder = new BackupFolder(_path);
        await folder.WriteAsync(archive => TakeAsync("FIRST", archive, [1, 2, 3]), Ct);

        var (_, bytes) = await folder.WriteAsync(archive => TakeAsync("SECOND", archive, [4, 5]), Ct);
        var left = await folder.ReadAsync(Ct);
        await using var archive = folder.OpenArchive();

        Assert.Equal(("SECOND", 2, 2), (left.Config.Name, bytes, archive.Length));
    }

    [Theory]
    [InlineData("backup.json")]
    [InlineData("stream.tar.s2")]
    public async Task Folder_without_a_whole_backup_is_named_with_what_is_missing(string missing)
    {
        var folder = new BackupFolder(_path);
        await folder.WriteAsync(archive => TakeAsync("FIRST", archive, [1]), Ct);
        File.Delete(Path.Combine(_path, missing));

        var refused = await Assert.ThrowsAsync<FileNotFoundException>(() => folder.ReadAsync(Ct));

        Assert.Equal($"{_path} does not contain a complete backup: it has no {missing}. Use 'postrider stream backup' to create one.", refused.Message);
    }

    public void Dispose() => Directory.Delete(_path, recursive: true);

    private static async Task<StreamBackup> TakeAsync(string name, Stream archive, byte[] bytes)
    {
        await archive.WriteAsync(bytes, Ct);
        return new StreamBackup(new StreamConfig { Name = name }, new StreamState());
    }

    private static async Task<StreamBackup> BreakOffAsync(Stream archive)
    {
        await archive.WriteAsync(new byte[100_000], Ct);
        throw new IOException("The server has gone.");
    }
}
