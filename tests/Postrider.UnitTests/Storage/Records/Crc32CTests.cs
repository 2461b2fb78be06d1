using System.Text;
using Postrider.Storage.Records;

namespace Postrider.UnitTests.Storage.Records;

public sealed class Crc32CTests
{
    [Theory]
    [InlineData("", 0x00000000)]
    [InlineData("123456789", 0xE3069283)]
    [InlineData("The quick brown fox jumps over the lazy dog", 0x22620404)]
    public void Known_values(string text, uint expected) => Assert.Equal(expected, Crc32C.Compute(Encoding.ASCII.GetBytes(text)));

    [Fact]
    public void Every_length_agrees_with_the_bitwise_definition()
    {
        var random = new Random(7);
        var data = new byte[3000];
        random.NextBytes(data);

        for (var length = 0; length < data.Length; length++)
        {
            Assert.Equal(Bitwise(data.AsSpan(0, length), 0), Crc32C.Compute(data.AsSpan(0, length)));
        }

        Assert.Equal(Bitwise(data, Bitwise([], 0) ^ 5), Crc32C.Compute(data, 5));
    }

    private static uint Bitwise(ReadOnlySpan<byte> data, uint seed)
    {
        var crc = ~seed;
        foreach (var b in data)
        {
            crc ^= b;
            for (var bit = 0; bit < 8; bit++)
            {
                crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82F63B78 : crc >> 1;
            }
        }

        return ~crc;
    }
}
