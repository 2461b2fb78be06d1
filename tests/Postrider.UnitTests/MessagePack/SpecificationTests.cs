using System.Buffers;
using Postrider.MessagePack;

namespace Postrider.UnitTests.MessagePack;

/// <summary>The formats of the MessagePack specification, each by an example on both sides of its bounds.</summary>
public sealed class SpecificationTests
{
    public static TheoryData<long, string> Integers => new()
    {
        { 0, "00" }, { 127, "7f" }, { 128, "cc80" }, { 255, "ccff" }, { 256, "cd0100" }, { 65535, "cdffff" }, { 65536, "ce00010000" },
        { uint.MaxValue, "ceffffffff" }, { 1L << 32, "cf0000000100000000" }, { long.MaxValue, "cf7fffffffffffffff" },
        { -1, "ff" }, { -32, "e0" }, { -33, "d0df" }, { -128, "d080" }, { -129, "d1ff7f" }, { -32768, "d18000" }, { -32769, "d2ffff7fff" },
        { int.MinValue, "d280000000" }, { int.MinValue - 1L, "d3ffffffff7fffffff" }, { long.MinValue, "d38000000000000000" },
    };

    public static TheoryData<int, string> Strings => new()
    {
        { 0, "a0" }, { 31, "bf" }, { 32, "d920" }, { 255, "d9ff" }, { 256, "da0100" }, { 65535, "daffff" }, { 65536, "db00010000" },
    };

    public static TheoryData<int, string> Binaries => new()
    {
        { 0, "c400" }, { 255, "c4ff" }, { 256, "c50100" }, { 65535, "c5ffff" }, { 65536, "c600010000" },
    };

    public static TheoryData<int, string> Arrays => new()
    {
        { 0, "90" }, { 15, "9f" }, { 16, "dc0010" }, { 65535, "dcffff" }, { 65536, "dd00010000" },
    };

    public static TheoryData<int, string> Maps => new()
    {
        { 0, "80" }, { 15, "8f" }, { 16, "de0010" }, { 65535, "deffff" }, { 65536, "df00010000" },
    };

    public static TheoryData<int, string> Extensions => new()
    {
        { 0, "c70005" }, { 1, "d405" }, { 2, "d505" }, { 3, "c70305" }, { 4, "d605" }, { 8, "d705" }, { 16, "d805" }, { 17, "c71105" },
        { 255, "c7ff05" }, { 256, "c8010005" }, { 65536, "c90001000005" },
    };

    // From the specification: 32 bits to 2106, 64 bits with nanoseconds to 2514, 96 bits for the rest.
    public static TheoryData<long, uint, string> Timestamps => new()
    {
        { 0, 0, "d6ff00000000" }, { uint.MaxValue, 0, "d6ffffffffff" }, { 0, 1, "d7ff0000000400000000" },
        { 1L << 32, 0, "d7ff0000000100000000" }, { (1L << 34) - 1, 999_999_999, "d7ffee6b27ffffffffff" },
        { 1L << 34, 0, "c70cff000000000000000400000000" }, { -1, 5, "c70cff00000005ffffffffffffffff" },
    };

    [Theory]
    [MemberData(nameof(Integers))]
    public void Integer_takes_its_shortest_form_and_comes_back(long value, string hex)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.Write(value));

        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equal(value, new MessagePackReader(bytes).ReadInt64());
    }

    [Fact]
    public void Largest_unsigned_integer_comes_back()
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.Write(ulong.MaxValue));

        Assert.Equal("cfffffffffffffffff", Convert.ToHexStringLower(bytes));
        Assert.Equal(ulong.MaxValue, new MessagePackReader(bytes).ReadUInt64());
    }

    [Theory]
    [MemberData(nameof(Strings))]
    public void String_has_the_header_of_its_length(int length, string header)
    {
        var text = new string('x', length);

        var bytes = Written((ref MessagePackWriter writer) => writer.Write(text));

        Assert.Equal(header, Convert.ToHexStringLower(bytes.AsSpan(0, header.Length / 2)));
        Assert.Equal((header.Length / 2) + length, bytes.Length);
        Assert.Equal(text, new MessagePackReader(bytes).ReadString());
    }

    [Theory]
    [MemberData(nameof(Binaries))]
    public void Binary_has_the_header_of_its_length(int length, string header)
    {
        var value = new byte[length];

        var bytes = Written((ref MessagePackWriter writer) => writer.WriteBinary(value));

        Assert.Equal(header, Convert.ToHexStringLower(bytes.AsSpan(0, header.Length / 2)));
        Assert.Equal(value, new MessagePackReader(bytes).ReadBinary());
    }

    [Theory]
    [MemberData(nameof(Arrays))]
    public void Array_has_the_header_of_its_count(int count, string header)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.WriteArrayHeader(count));

        Assert.Equal(header, Convert.ToHexStringLower(bytes));
        Assert.Equal(count, new MessagePackReader([.. bytes, .. new byte[count]]).ReadArrayHeader());
    }

    [Theory]
    [MemberData(nameof(Maps))]
    public void Map_has_the_header_of_its_count(int count, string header)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.WriteMapHeader(count));

        Assert.Equal(header, Convert.ToHexStringLower(bytes));
        Assert.Equal(count, new MessagePackReader([.. bytes, .. new byte[count * 2]]).ReadMapHeader());
    }

    [Theory]
    [MemberData(nameof(Extensions))]
    public void Extension_has_the_header_of_its_length(int length, string header)
    {
        var data = new byte[length];

        var bytes = Written((ref MessagePackWriter writer) => writer.WriteExtension(5, data));

        Assert.Equal(header, Convert.ToHexStringLower(bytes.AsSpan(0, header.Length / 2)));
        var reader = new MessagePackReader(bytes);
        Assert.Equal(new MessagePackExtensionHeader(5, length), reader.ReadExtensionHeader());
        Assert.Equal(data, reader.ReadRaw(length).ToArray());
        Assert.True(reader.IsAtEnd);
    }

    [Theory]
    [MemberData(nameof(Timestamps))]
    public void Timestamp_takes_the_bits_it_needs_and_comes_back(long seconds, uint nanoseconds, string hex)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.Write(new MessagePackTimestamp(seconds, nanoseconds)));

        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equal(new MessagePackTimestamp(seconds, nanoseconds), new MessagePackReader(bytes).ReadTimestamp());
    }

    [Theory]
    [InlineData(1.5f, "ca3fc00000")]
    [InlineData(float.NaN, "caffc00000")]
    public void Float_of_32_bits_comes_back(float value, string hex)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.Write(value));

        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equal(value, new MessagePackReader(bytes).ReadSingle());
    }

    [Theory]
    [InlineData(1.1, "cb3ff199999999999a")]
    [InlineData(double.NegativeInfinity, "cbfff0000000000000")]
    public void Float_of_64_bits_comes_back(double value, string hex)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.Write(value));

        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equal(value, new MessagePackReader(bytes).ReadDouble());
    }

    [Fact]
    public void Nil_and_booleans_are_one_byte()
    {
        var bytes = Written((ref MessagePackWriter writer) =>
        {
            writer.WriteNil();
            writer.Write(false);
            writer.Write(true);
        });

        Assert.Equal("c0c2c3", Convert.ToHexStringLower(bytes));
        var reader = new MessagePackReader(bytes);
        Assert.True(reader.TryReadNil());
        Assert.False(reader.ReadBoolean());
        Assert.True(reader.ReadBoolean());
    }

    [Theory]
    [InlineData("ä")]
    [InlineData("12345678ä")]
    [InlineData("sixteen letters!ünd mehr als das, damit es zwei Schritte braucht")]
    [InlineData("日本語")]
    [InlineData("\U0001F600 and text that is longer than thirty-one")]
    [InlineData("1234567\u007f")]
    public void Text_of_any_script_comes_back(string text)
    {
        var bytes = Written((ref MessagePackWriter writer) => writer.Write(text));

        Assert.Equal(System.Text.Encoding.UTF8.GetBytes(text), new MessagePackReader(bytes).ReadStringSpan().ToArray());
        Assert.Equal(text, new MessagePackReader(bytes).ReadString());
    }

    [Fact]
    public void Ascii_text_of_every_length_comes_back()
    {
        for (var length = 0; length < 300; length++)
        {
            var text = string.Create(length, length, static (characters, n) =>
            {
                for (var i = 0; i < characters.Length; i++)
                    characters[i] = (char)(' ' + ((i + n) % 95));
            });

            var bytes = Written((ref MessagePackWriter writer) => writer.Write(text));

            Assert.Equal(text, new MessagePackReader(bytes).ReadString());
        }
    }

    [Fact]
    public void Text_with_one_foreign_letter_at_any_place_comes_back()
    {
        for (var at = 0; at < 70; at++)
        {
            var text = new string('a', at) + 'é' + new string('b', 70 - at);

            var bytes = Written((ref MessagePackWriter writer) => writer.Write(text));

            Assert.Equal(text, new MessagePackReader(bytes).ReadString());
        }
    }

    internal delegate void Writing(ref MessagePackWriter writer);

    internal static byte[] Written(Writing write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new MessagePackWriter(buffer);
        write(ref writer);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}
