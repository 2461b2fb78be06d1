using Postrider.Sockets;

namespace Postrider.UnitTests.Sockets;

public sealed unsafe class ChunkStockTests
{
    [Theory]
    [InlineData(ChunkPool.SmallBytes)]
    [InlineData(ChunkPool.LargeBytes)]
    public void Chunks_do_not_overlap(int bytes)
    {
        var stock = new ChunkStock(bytes);
        var chunks = Enumerable.Range(0, 600).Select(_ => stock.Take()).ToArray();
        for (var i = 0; i < chunks.Length; i++) Span(chunks[i]).Fill((byte)i);

        Assert.Equal(600, stock.Rented);
        for (var i = 0; i < chunks.Length; i++) Assert.False(Span(chunks[i]).ContainsAnyExcept((byte)i));
        foreach (var chunk in chunks) stock.Put(chunk);
        Assert.Equal(0, stock.Rented);
    }

    [Fact]
    public void Unused_chunks_are_those_that_were_there_all_the_time()
    {
        var stock = new ChunkStock(ChunkPool.SmallBytes);
        var chunks = Enumerable.Range(0, 10).Select(_ => stock.Take()).ToArray();
        foreach (var chunk in chunks) stock.Put(chunk);

        Assert.Empty(stock.TakeUnused());
        var used = stock.Take();
        stock.Put(used);

        Assert.Equal(9, stock.TakeUnused().Length);
        Assert.Equal(0, stock.Rented);
    }

    [Fact]
    public void Discarded_chunks_are_used_again_and_no_other_chunk_loses_anything()
    {
        var stock = new ChunkStock(ChunkPool.SmallBytes);
        var chunks = Enumerable.Range(0, 512).Select(_ => stock.Take()).ToArray();
        foreach (var chunk in chunks) Span(chunk).Fill(7);
        foreach (var chunk in chunks.Where(static (_, i) => i % 3 != 0)) stock.Put(chunk);
        stock.TakeUnused();
        var unused = stock.TakeUnused();
        Assert.Equal(341, unused.Length);

        ChunkStock.Discard(unused);
        stock.PutDiscarded(unused);

        foreach (var chunk in chunks.Where(static (_, i) => i % 3 == 0)) Assert.False(Span(chunk).ContainsAnyExcept((byte)7));
        var again = Enumerable.Range(0, 341).Select(_ => stock.Take()).ToArray();
        if (OperatingSystem.IsLinux()) Assert.Empty(again.Except(unused));
        foreach (var chunk in again)
        {
            if (OperatingSystem.IsLinux()) Assert.False(Span(chunk).ContainsAnyExcept((byte)0));
            Span(chunk).Fill(9);
        }
        foreach (var chunk in chunks.Where(static (_, i) => i % 3 == 0)) Assert.False(Span(chunk).ContainsAnyExcept((byte)7));
    }

    private static Span<byte> Span(Chunk chunk) => new(chunk.Memory, chunk.Capacity);
}
