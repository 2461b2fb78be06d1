using System.Globalization;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a file over HTTP takes of memory. The count is that of the process, so no other test runs beside it.</summary>
[Collection(nameof(SocketCallAllocationTests))]
public sealed class FileMemoryTests
{
    private const long Length = 256L * 1024 * 1024;

    [Fact]
    public async Task Large_file_is_never_held_whole()
    {
        await using var host = await DepotHost.StartAsync();
        var buffer = new byte[64 * 1024];
        var before = GC.GetTotalAllocatedBytes();

        long read = 0;
        await using (var file = await host.Client.FileAsync(Length.ToString(CultureInfo.InvariantCulture)))
        {
            while (await file.Content.ReadAsync(buffer) is > 0 and var count)
                read += count;
        }

        Assert.Equal(Length, read);
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, Length / 4);
    }
}
