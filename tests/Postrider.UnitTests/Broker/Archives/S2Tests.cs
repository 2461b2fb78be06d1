using System.Buffers;
using System.Text;
using Postrider.Broker.Archives;

namespace Postrider.UnitTests.Broker.Archives;

public sealed class S2Tests(ITestOutputHelper output)
{
    [Theory]
    // A literal of four, then a copy that overlaps itself.
    [InlineData("0C 61 62 63 64 1D 04", "abcdabcdabcdabc")]
    // The copy's offset is used again: S2's repeat of four, and of 4 + 4 + 3 bytes.
    [InlineData("0C 61 62 63 64 01 04 01 00", "abcdabcdabcd")]
    [InlineData("0C 61 62 63 64 01 04 15 00 03", "abcdabcdabcdabcdabc")]
    // An offset of two bytes and one of four.
    [InlineData("0C 61 62 63 64 0A 02 00", "abcdcdc")]
    [InlineData("0C 61 62 63 64 0B 02 00 00 00", "abcdcdc")]
    // The length of a literal in a byte of its own.
    [InlineData("F0 03 61 62 63 64", "abcd")]
    public void Every_element_is_read(string elements, string plain)
    {
        var target = new byte[plain.Length];

        Assert.True(S2Block.TryDecode(Convert.FromHexString(elements.Replace(" ", "", StringComparison.Ordinal)), target));

        Assert.Equal(plain, Encoding.ASCII.GetString(target));
    }

    [Theory]
    [InlineData("0C 61 62 63")]
    [InlineData("0C 61 62 63 64 01 05")]
    [InlineData("0C 61 62 63 64 01")]
    [InlineData("0C 61 62 63 64 0A 02")]
    [InlineData("01 04")]
    [InlineData("01 00")]
    [InlineData("F4 FF FF 61")]
    [InlineData("FC FF FF FF FF 61")]
    [InlineData("0F FF FF FF FF 61")]
    [InlineData("0C 61 62 63 64 0C 61 62 63 64 0C 61 62 63 64")]
    public void Elements_that_make_no_sense_are_refused(string elements)
        => Assert.False(S2Block.TryDecode(Convert.FromHexString(elements.Replace(" ", "", StringComparison.Ordinal)), new byte[8]));

    [Fact]
    public void What_was_encoded_is_decoded_in_pieces_of_any_size()
    {
        var seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (var round = 0; round < 60; round++)
        {
            var plain = Plain(random, random.Next(round < 40 ? 3_000 : 300_000));
            var encoded = Encode(plain, random);

            var decoded = new ArrayBufferWriter<byte>();
            var decoder = new S2Decoder(decoded);
            for (var rest = encoded.AsSpan(); !rest.IsEmpty;)
            {
                var part = Math.Min(rest.Length, 1 + random.Next(round < 40 ? 20 : 50_000));
                Assert.True(decoder.TryWrite(rest[..part]));
                rest = rest[part..];
            }

            Assert.True(decoder.IsAtBorder);
            Assert.Equal(plain, decoded.WrittenSpan);
        }
    }

    [Fact]
    public void Text_becomes_shorter_and_noise_hardly_longer()
    {
        var random = new Random(1);
        var noise = new byte[200_000];
        random.NextBytes(noise);
        var text = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Range(0, 8_000).Select(static i => $"order {i % 100} shipped; ")));

        Assert.InRange(Encode(noise, random).Length, noise.Length, noise.Length + 100);
        Assert.InRange(Encode(text, random).Length, 1, text.Length / 4);
    }

    [Fact]
    public void Flipped_byte_never_brings_other_bytes_through()
    {
        var random = new Random(7);
        var plain = Plain(random, 2_000);
        var encoded = Encode(plain, random);
        for (var i = 0; i < encoded.Length; i++)
        {
            var flipped = (byte[])encoded.Clone();
            flipped[i] ^= 0x10;
            var decoded = new ArrayBufferWriter<byte>();
            var decoder = new S2Decoder(decoded);

            // It may be refused, wait for more, be skipped or make the same bytes in another way.
            _ = decoder.TryWrite(flipped);

            Assert.True(plain.AsSpan().StartsWith(decoded.WrittenSpan), $"byte {i}");
        }
    }

    internal static byte[] Encode(byte[] plain, Random random)
    {
        var encoded = new ArrayBufferWriter<byte>();
        var encoder = new S2Encoder(encoded);
        for (var rest = plain.AsSpan(); !rest.IsEmpty;)
        {
            var part = Math.Min(rest.Length, 1 + random.Next(100_000));
            encoder.Write(rest[..part]);
            rest = rest[part..];
        }

        encoder.Flush();
        return encoded.WrittenSpan.ToArray();
    }

    // Runs, repeats and noise.
    private static byte[] Plain(Random random, int length)
    {
        var plain = new byte[length];
        for (var at = 0; at < length;)
        {
            var part = Math.Min(length - at, 1 + random.Next(300));
            var target = plain.AsSpan(at, part);
            switch (random.Next(3))
            {
                case 0:
                    random.NextBytes(target);
                    break;
                case 1 when at > part:
                    plain.AsSpan(random.Next(at - part), part).CopyTo(target);
                    break;
                default:
                    target.Fill((byte)random.Next(256));
                    break;
            }

            at += part;
        }

        return plain;
    }
}
