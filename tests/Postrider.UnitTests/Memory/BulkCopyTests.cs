using Postrider.Memory;

namespace Postrider.UnitTests.Memory;

public sealed class BulkCopyTests
{
    private const byte Untouched = 0xEE;

    public static TheoryData<int> Lengths => [0, 1, 64, 2047, 2048, 2049, 2050, 2111, 2112, 2175, 2304, 2305, 3000, 4095, 4096, 4097, 8192, 16_384, 16_385, 16_391, 65_536, 262_144];

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Bytes_arrive_at_every_alignment_and_nothing_around_them_changes(int length)
    {
        var source = new byte[length + 4_096 + 128];
        new Random(length).NextBytes(source);
        var target = new byte[length + 3 * 4_096];
        var step = length > 20_000 ? 13 : 3;

        for (var from = 0; from < 64; from += step)
        {
            for (var shift = 0; shift < 130; shift += step)
            {
                // Behind the source's place in a page by so many bytes.
                var to = Place(source.AsSpan(from), target, shift);
                Array.Fill(target, Untouched);

                BulkCopy.Copy(source.AsSpan(from, length), target.AsSpan(to));

                Assert.True(source.AsSpan(from, length).SequenceEqual(target.AsSpan(to, length)), $"from {from}, shift {shift}");
                Assert.Equal(-1, target.AsSpan(0, to).IndexOfAnyExcept(Untouched));
                Assert.Equal(-1, target.AsSpan(to + length).IndexOfAnyExcept(Untouched));
            }
        }
    }

    [Theory]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(321)]
    [InlineData(16_384)]
    [InlineData(16_411)]
    public void Vectors_copy_every_byte_at_every_alignment(int length)
    {
        var source = new byte[length + 64];
        new Random(length).NextBytes(source);
        var target = new byte[length + 256];

        for (var from = 0; from < 64; from += 7)
        {
            for (var to = 0; to < 128; to++)
            {
                Array.Fill(target, Untouched);

                Assert.True(BulkCopy.TryCopyByVectors(source.AsSpan(from, length), target.AsSpan(to)));

                Assert.True(source.AsSpan(from, length).SequenceEqual(target.AsSpan(to, length)), $"from {from}, to {to}");
                Assert.Equal(-1, target.AsSpan(0, to).IndexOfAnyExcept(Untouched));
                Assert.Equal(-1, target.AsSpan(to + length).IndexOfAnyExcept(Untouched));
            }
        }
    }

    [Theory]
    [InlineData(-3000)]
    [InlineData(-33)]
    [InlineData(-1)]
    [InlineData(1)]
    [InlineData(33)]
    [InlineData(3000)]
    public void Overlapping_bytes_are_moved_as_one(int distance)
    {
        var bytes = new byte[20_000];
        new Random(distance).NextBytes(bytes);
        var expected = bytes.AsSpan(5_000, 10_000).ToArray();

        BulkCopy.Copy(bytes.AsSpan(5_000, 10_000), bytes.AsSpan(5_000 + distance));

        Assert.Equal(expected, bytes[(5_000 + distance)..(15_000 + distance)]);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(16_384)]
    public void Target_that_is_too_short_is_refused_and_stays_as_it_was(int length)
    {
        var source = new byte[length];
        var target = new byte[length - 1 + 4_096];
        Array.Fill(target, Untouched);
        var to = Math.Min(Place(source, target, 5), 4_096);

        Assert.Throws<ArgumentException>(() => BulkCopy.Copy(source, target.AsSpan(to, length - 1)));
        Assert.Equal(-1, target.AsSpan().IndexOfAnyExcept(Untouched));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(63, true)]
    [InlineData(64, false)]
    [InlineData(4_095, false)]
    public void Only_a_target_less_than_a_line_behind_the_source_is_aliased(int shift, bool isAliased)
    {
        var source = GC.AllocateArray<byte>(100, pinned: true);
        var target = GC.AllocateArray<byte>(3 * 4_096, pinned: true);

        Assert.Equal(isAliased, BulkCopy.IsAliased(source, target.AsSpan(Place(source, target, shift))));
    }

    [Fact]
    public void A_copy_allocates_nothing()
    {
        var (source, target) = (new byte[16_384], new byte[3 * 16_384]);
        var to = Place(source, target, 5);

        Assert.Equal(0, Allocations.PerCall(() => BulkCopy.Copy(source, target.AsSpan(to))));
    }

    // Where in the target its page offset is the source's and so many bytes.
    private static unsafe int Place(ReadOnlySpan<byte> source, Span<byte> target, int shift)
    {
        fixed (byte* from = source, to = target)
        {
            return (int)(((nuint)from + (nuint)shift - (nuint)to) & 4_095);
        }
    }
}
