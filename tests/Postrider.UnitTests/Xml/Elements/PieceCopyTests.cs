using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Xml.Elements;

public sealed class PieceCopyTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(2_048)]
    [InlineData(2_049)]
    [InlineData(4_096)]
    [InlineData(16_391)]
    public unsafe void Bytes_arrive_at_every_distance_and_nothing_around_them_changes(int length)
    {
        var source = new byte[length];
        new Random(length).NextBytes(source);
        var target = new byte[length + 8_192];

        for (var shift = 0; shift < 70; shift++)
        {
            Array.Clear(target);
            int to;
            fixed (byte* a = source, b = target) to = (int)(((nuint)a + (nuint)shift - (nuint)b) & 4_095);

            PieceCopy.Copy(source, target.AsSpan(to));

            Assert.True(source.AsSpan().SequenceEqual(target.AsSpan(to, length)), $"shift {shift}");
            Assert.Equal(-1, target.AsSpan(0, to).IndexOfAnyExcept((byte)0));
            Assert.Equal(-1, target.AsSpan(to + length).IndexOfAnyExcept((byte)0));
        }
    }
}
