using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Postrider.Broker.Compression;
using Postrider.Storage.Records;

namespace Postrider.UnitTests.Broker.Compression;

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
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (var round = 0; round < 60; round++)
        {
            var plain = Plain(random, random.Next(round < 40 ? 3_000 : 300_000));
            var encoded = Encode(plain, random);

            var decoded = new ArrayBufferWriter<byte>();
            var decoder = new S2Decoder();
            for (var rest = encoded.AsSpan(); !rest.IsEmpty;)
            {
                var part = Math.Min(rest.Length, 1 + random.Next(round < 40 ? 20 : 50_000));
                Assert.True(TryDecode(decoder, rest[..part], decoded));
                rest = rest[part..];
            }

            Assert.True(decoder.IsAtBorder);
            Assert.Equal(plain, decoded.WrittenSpan);
        }
    }

    [Theory]
    [InlineData(S2Level.Uncompressed)]
    [InlineData(S2Level.Fast)]
    [InlineData(S2Level.Better)]
    [InlineData(S2Level.Best)]
    internal void Every_level_is_decoded_to_the_same_bytes(S2Level level)
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        for (var round = 0; round < 60; round++)
        {
            var plain = Plain(random, random.Next(round < 40 ? 300 : S2Block.MaxPlainBytes + 1));
            var block = new byte[S2Block.MaxEncodedBytes(plain.Length)];
            var length = plain.Length == 0 ? 0 : S2Chunk.Encode(plain, block, level);
            if (length == 0) continue;

            ReadOnlySpan<byte> rest = block.AsSpan(0, length);
            Assert.True(S2Block.TryReadLength(ref rest, out var plainLength));
            var decoded = new byte[plainLength];
            Assert.True(S2Block.TryDecode(rest, decoded));
            Assert.Equal(plain, decoded);
        }
    }

    [Fact]
    public void More_work_makes_text_shorter()
    {
        var random = new Random(3);
        var words = Enumerable.Range(0, 300).Select(_ => new string([.. Enumerable.Range(0, 3 + random.Next(7)).Select(_ => (char)('a' + random.Next(26)))])).ToArray();
        var text = Encoding.ASCII.GetBytes(string.Join(' ', Enumerable.Range(0, 8_000).Select(_ => words[random.Next(words.Length)])))[..50_000];
        var block = new byte[S2Block.MaxEncodedBytes(text.Length)];

        var lengths = new[] { S2Level.Fast, S2Level.Better, S2Level.Best }.Select(level => S2Chunk.Encode(text, block, level)).ToArray();

        output.WriteLine(string.Join(' ', lengths));
        Assert.InRange(lengths[0], 1, text.Length * 3 / 4);
        Assert.InRange(lengths[1], 1, lengths[0] - 1);
        Assert.InRange(lengths[2], 1, lengths[1] - 1);
    }

    [Fact]
    public void Block_above_the_limit_is_refused_before_it_is_decoded()
    {
        var decoder = new S2Decoder { MaxBlockBytes = S2Codec.MaxBlockBytes };
        decoder.Add(ManyZeros(1));

        Assert.Equal(OperationStatus.InvalidData, decoder.TryRead(out var plain));

        Assert.True(plain.IsEmpty);
        Assert.InRange(decoder.HeldBytes, 0, 4096);
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
            var decoder = new S2Decoder();

            // It may be refused, wait for more, be skipped or make the same bytes in another way.
            _ = TryDecode(decoder, flipped, decoded);

            Assert.True(plain.AsSpan().StartsWith(decoded.WrittenSpan), $"byte {i}");
        }
    }

    [Fact]
    public void Few_bytes_that_stand_for_gigabytes_are_decoded_a_block_at_a_time()
    {
        var chunk = ManyZeros(600);
        var decoder = new S2Decoder();
        decoder.Add(chunk);

        long decoded = 0;
        long held = 0;
        while (decoder.TryRead(out var plain) == OperationStatus.Done)
        {
            decoded += plain.Length;
            held = Math.Max(held, decoder.HeldBytes);
        }

        Assert.True(chunk.Length < 20_000, $"{chunk.Length} bytes");
        Assert.Equal(600L * S2Decoder.MaxPlainBytes, decoded);
        Assert.InRange(held, 1, S2Decoder.MaxPlainBytes + 20_000);
    }

    [Fact]
    public void Random_and_mutated_frames_are_decoded_or_refused_in_bounded_memory()
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        for (var round = 0; round < 400; round++)
        {
            var input = round % 4 == 0 ? Noise(random) : Mutate(random, round % 4 == 1 ? ManyZeros(1 + random.Next(3)) : Encode(Plain(random, random.Next(5_000)), random));
            var decoder = new S2Decoder();
            var status = OperationStatus.NeedMoreData;
            for (var rest = input.AsSpan(); !rest.IsEmpty && status == OperationStatus.NeedMoreData;)
            {
                var part = Math.Min(rest.Length, 1 + random.Next(2_000));
                decoder.Add(rest[..part]);
                rest = rest[part..];
                while ((status = decoder.TryRead(out var plain)) == OperationStatus.Done) Assert.InRange(plain.Length, 1, S2Decoder.MaxPlainBytes);
                Assert.InRange(decoder.HeldBytes, 0, (2 * S2Decoder.MaxPlainBytes) + (1024 * 1024));
            }
        }
    }

    /// <summary>Blocks of 21 bytes, each 4 MiB of zeros when it is decoded.</summary>
    internal static byte[] ManyZeros(int blocks)
    {
        // A literal of one byte, then S2's repeat with a length of three bytes.
        var repeat = S2Decoder.MaxPlainBytes - 5 - 4 - (1 << 16);
        byte[] block = [0x80, 0x80, 0x80, 0x02, 0x00, 0x00, 0x01, 0x01, 0x1D, 0x00, (byte)repeat, (byte)(repeat >> 8), (byte)(repeat >> 16)];
        var checksum = S2Encoder.Mask(Crc32C.Compute(new byte[S2Decoder.MaxPlainBytes]));
        var chunk = new byte[8 + block.Length];
        BinaryPrimitives.WriteInt32LittleEndian(chunk, (block.Length + 4) << 8);
        BinaryPrimitives.WriteUInt32LittleEndian(chunk.AsSpan(4), checksum);
        block.CopyTo(chunk, 8);
        return [0xFF, 6, 0, 0, .. "sNaPpY"u8, .. Enumerable.Repeat(chunk, blocks).SelectMany(static bytes => bytes)];
    }

    internal static byte[] Mutate(Random random, byte[] bytes)
    {
        for (var left = 1 + random.Next(4); left > 0 && bytes.Length > 0; left--)
        {
            var at = random.Next(bytes.Length);
            switch (random.Next(4))
            {
                case 0:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 2:
                    bytes = bytes[..at];
                    break;
                default:
                    bytes = [.. bytes[..at], .. bytes[Math.Max(0, at - random.Next(50))..]];
                    break;
            }
        }

        return bytes;
    }

    private static byte[] Noise(Random random)
    {
        var noise = new byte[random.Next(300)];
        random.NextBytes(noise);
        return [0xFF, 6, 0, 0, .. "S2sTwO"u8, .. noise];
    }

    private static bool TryDecode(S2Decoder decoder, ReadOnlySpan<byte> bytes, ArrayBufferWriter<byte> target)
    {
        decoder.Add(bytes);
        OperationStatus status;
        while ((status = decoder.TryRead(out var plain)) == OperationStatus.Done) target.Write(plain);
        return status == OperationStatus.NeedMoreData;
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
