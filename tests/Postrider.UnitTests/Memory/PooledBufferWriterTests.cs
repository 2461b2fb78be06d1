using System.Buffers;
using Postrider.Memory;

namespace Postrider.UnitTests.Memory;

public sealed class PooledBufferWriterTests
{
    [Fact]
    public void What_was_written_is_kept_while_the_buffer_grows()
    {
        using var buffer = new PooledBufferWriter();
        var expected = new List<byte>();
        for (var i = 0; i < 300; i++)
        {
            var part = Enumerable.Range(i, i * 7 % 900).Select(static number => (byte)number).ToArray();
            buffer.Write(part);
            expected.AddRange(part);
        }

        Assert.Equal(expected.Count, buffer.WrittenCount);
        Assert.Equal(expected, buffer.WrittenSpan.ToArray());
    }

    [Fact]
    public void First_bytes_are_removed_and_the_others_stay()
    {
        using var buffer = new PooledBufferWriter();
        buffer.Write("removed, kept"u8);

        buffer.RemoveFirst("removed, ".Length);
        buffer.Write(" and more"u8);

        Assert.Equal("kept and more"u8.ToArray(), buffer.WrittenSpan.ToArray());
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.RemoveFirst(14));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(int.MaxValue));
    }

    [Fact]
    public void Returned_memory_is_not_written_to_any_more()
    {
        var buffer = new PooledBufferWriter();
        buffer.Write(new byte[100_000]);

        buffer.Dispose();
        buffer.Dispose();

        Assert.Equal(0, buffer.WrittenCount);
        var other = ArrayPool<byte>.Shared.Rent(100_000);
        Array.Clear(other);
        buffer.GetSpan(100_000).Fill(1);
        buffer.Advance(100_000);
        Assert.False(other.AsSpan().ContainsAnyExcept((byte)0));
        Assert.Equal(100_000, buffer.WrittenCount);
        buffer.Dispose();
        ArrayPool<byte>.Shared.Return(other);
    }

    [Fact]
    public void Large_contents_are_no_garbage()
    {
        Write();
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < 10; i++) Write();

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000);

        static void Write()
        {
            using var buffer = new PooledBufferWriter();
            for (var i = 0; i < 1000; i++)
            {
                buffer.GetSpan(1000).Fill(1);
                buffer.Advance(1000);
            }
        }
    }
}
