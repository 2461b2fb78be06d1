using Postrider.Sockets;

namespace Postrider.UnitTests.Sockets;

/// <summary>The memory of what waits for a reader that is far behind.</summary>
public sealed class OutboxPackingTests
{
    [Theory]
    [InlineData(600)]
    [InlineData(3000)]
    [InlineData(5000)]
    [InlineData(16_000)]
    public void Pieces_of_any_size_fill_most_of_the_memory_that_they_take(int pieceBytes)
    {
        var connection = new SlowConnection(new TestClock());
        var count = 8 * 1024 * 1024 / pieceBytes;
        for (var i = 0; i < count; i++) connection.Outbox.Send(new byte[pieceBytes]);

        connection.Close();

        Assert.Equal((long)count * pieceBytes, connection.Outbox.UnsentBytes);
        // Up to 256 KiB each piece has its own chunk.
        var packed = (connection.Outbox.UnsentBytes - (256 * 1024)) / (ChunkPool.LargeBytes * 3 / 4);
        Assert.InRange(connection.Outbox.UnsentPieces, 1, (256 * 1024 / pieceBytes) + packed + 2);
    }

    [Fact]
    public void Every_byte_arrives_once_and_in_order()
    {
        var connection = new SlowConnection(new TestClock());
        var random = new Random(1);
        var sent = new List<byte>();
        for (var i = 0; i < 4000; i++)
        {
            var piece = new byte[random.Next(10) == 0 ? random.Next(1, 100_000) : random.Next(1, 5000)];
            random.NextBytes(piece);
            sent.AddRange(piece);
            connection.Outbox.Send(piece);
            if (random.Next(3) == 0) connection.Take(random.Next(30_000));
            if (random.Next(400) == 0) connection.Take(int.MaxValue);
        }

        connection.Take(int.MaxValue);

        Assert.Equal(0, connection.Outbox.PendingBytes);
        Assert.True(sent.SequenceEqual(connection.Taken));
    }
}
