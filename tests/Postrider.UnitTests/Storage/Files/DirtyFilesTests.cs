using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Files;

/// <summary>Files are flushed on one thread and deleted on another.</summary>
public sealed class DirtyFilesTests
{
    [Fact]
    public async Task Deleted_file_does_not_wait_for_a_flush_and_is_closed_after_it()
    {
        var files = new DirtyFiles(new SimulatedDisk());
        using var flushed = new SlowFile();
        using var other = new SlowFile();
        files.Add(flushed, 1);
        var flush = Task.Run(files.Sync, TestContext.Current.CancellationToken);
        await flushed.Begun.WaitAsync(Eventually.Patience, TestContext.Current.CancellationToken);
        files.Add(other, 2);

        files.Discard(flushed);
        files.Discard(other);
        var (duringFlush, otherDuringFlush) = (flushed.IsDiscarded, other.IsDiscarded);
        flushed.End();
        var commit = await flush.WaitAsync(Eventually.Patience, TestContext.Current.CancellationToken);

        Assert.Equal((false, true), (duringFlush, otherDuringFlush));
        Assert.True(flushed.IsDiscarded);
        Assert.Equal(1, commit);
        Assert.Equal(2, files.Sync());
        Assert.Equal((1, 0), (flushed.Syncs, other.Syncs));
    }

    [Fact]
    public void Deleted_file_is_flushed_no_more()
    {
        var files = new DirtyFiles(new SimulatedDisk());
        using var file = new SlowFile();
        file.End();
        files.Add(file, 1);

        files.Discard(file);
        files.Sync();

        Assert.True(file.IsDiscarded);
        Assert.Equal(0, file.Syncs);
    }

    [Fact]
    public async Task Files_that_were_deleted_are_closed_however_many_there_are()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-discarded-");
        try
        {
            var disk = new DiskFolder(folder.FullName);
            for (var i = 0; i < 600; i++)
            {
                var file = disk.Create($"{i}");
                file.Write(0, new byte[100]);
                disk.Delete($"{i}");
                file.Discard();
            }

            await Eventually.EmptyAsync(() => OpenFiles(folder.FullName));
            Assert.Empty(disk.Files());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static IEnumerable<string> OpenFiles(string folder)
        => Directory.EnumerateFiles("/proc/self/fd").Select(TargetOf).Where(target => target.StartsWith(folder, StringComparison.Ordinal));

    private static string TargetOf(string link)
    {
        try
        {
            return File.ResolveLinkTarget(link, returnFinalTarget: false)?.FullName ?? "";
        }
        catch (IOException)
        {
            // Another test has closed it meanwhile.
            return "";
        }
    }

    private sealed class SlowFile : IStoreFile
    {
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _end = new();

        public Task Begun => _begun.Task;

        public int Syncs { get; private set; }

        public bool IsDiscarded { get; private set; }

        public long Length => 0;

        public void End() => _end.Set();

        public int Read(long offset, Span<byte> target) => 0;

        public void Write(long offset, ReadOnlySpan<byte> bytes)
        {
        }

        public void SetLength(long length)
        {
        }

        public void Sync()
        {
            Assert.False(IsDiscarded);
            _begun.TrySetResult();
            Assert.True(_end.Wait(Eventually.Patience));
            Syncs++;
        }

        public void Discard() => IsDiscarded = true;

        public void Dispose() => _end.Dispose();
    }
}
