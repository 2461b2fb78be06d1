using System.Buffers;
using Postrider.MessagePack;

namespace Postrider.UnitTests.MessagePack;

/// <summary>Bytes that are no value, and values that go against the limits.</summary>
public sealed class BadInputTests
{
    public static TheoryData<string, string, MessagePackError, int> Bad => new()
    {
        // type, bytes, what is wrong, where
        { "point", "", MessagePackError.EndOfInput, 0 },
        { "point", "92", MessagePackError.EndOfInput, 0 },
        { "point", "9201", MessagePackError.EndOfInput, 0 },
        { "point", "dc", MessagePackError.EndOfInput, 1 },
        { "point", "ddffffffff", MessagePackError.EndOfInput, 0 },
        { "point", "c0", MessagePackError.UnexpectedType, 0 },
        { "point", "c1", MessagePackError.UnexpectedType, 0 },
        { "point", "80", MessagePackError.UnexpectedType, 0 },
        { "point", "92a101", MessagePackError.UnexpectedType, 1 },
        { "point", "92ca000000000102", MessagePackError.UnexpectedType, 1 },
        { "point", "92ce8000000000", MessagePackError.OutOfRange, 1 },
        { "point", "92cf800000000000000000", MessagePackError.OutOfRange, 1 },
        { "point", "920102c0", MessagePackError.TrailingBytes, 3 },
        { "point", "9301029a", MessagePackError.EndOfInput, 3 },
        { "point", "930102c1", MessagePackError.UnexpectedType, 3 },
        { "point", "930102c9ffffffff01", MessagePackError.EndOfInput, 3 },
        { "point", "930102dbffffffff", MessagePackError.EndOfInput, 3 },
        { "point", "930102dfffffffff", MessagePackError.EndOfInput, 3 },
        { "list", "dd7fffffff00", MessagePackError.EndOfInput, 0 },
        { "list", "91d9", MessagePackError.UnexpectedType, 1 },
        { "list", "91cd01", MessagePackError.EndOfInput, 3 },
        { "map", "82a16101a16102", MessagePackError.UnexpectedType, 3 },
        { "map", "82a161a0a161a0", MessagePackError.DuplicateKey, 4 },
        { "map", "81c0a0", MessagePackError.InvalidValue, 1 },
        { "map", "81a1ffa0", MessagePackError.InvalidText, 1 },
        { "map", "81a2c3a0", MessagePackError.EndOfInput, 4 },
        { "map", "81a4f09f98a0", MessagePackError.EndOfInput, 6 },
        { "map", "81bf61", MessagePackError.EndOfInput, 1 },
        { "map", "dfffffffff", MessagePackError.EndOfInput, 0 },
        { "person", "82a34167650aa34167650a", MessagePackError.DuplicateKey, 6 },
        { "person", "8101", MessagePackError.EndOfInput, 0 },
        { "person", "810101", MessagePackError.UnexpectedType, 1 },
        { "shape", "9101", MessagePackError.InvalidValue, 0 },
        { "shape", "92a100", MessagePackError.UnexpectedType, 1 },
        { "shape", "920990", MessagePackError.UnknownUnionMember, 2 },
        { "small", "9191c40101", MessagePackError.InvalidValue, 2 },
        { "small", "9191a3616263", MessagePackError.InvalidValue, 2 },
        { "small", "919105", MessagePackError.UnexpectedType, 2 },
        { "everything", "81a7446563696d616cc410000000ff000000000000000000000000", MessagePackError.InvalidValue, 9 },
        { "everything", "81a7446563696d616ca178", MessagePackError.InvalidValue, 9 },
        { "everything", "81a84461746554696d65d7ffffffffffffffffff", MessagePackError.InvalidValue, 10 },
        { "everything", "81a84461746554696d65d60000000000", MessagePackError.InvalidValue, 10 },
        { "everything", "81a84461746554696d65c70cff000000007fffffffffffffff", MessagePackError.InvalidValue, 10 },
        { "everything", "81a8446174654f6e6c79ff", MessagePackError.InvalidValue, 10 },
        { "everything", "81a854696d654f6e6c79ff", MessagePackError.InvalidValue, 10 },
        { "everything", "81a443686172ce00010000", MessagePackError.OutOfRange, 6 },
        { "everything", "81a452756e65cdd800", MessagePackError.InvalidValue, 6 },
        { "everything", "81a55549 6e7438ff", MessagePackError.OutOfRange, 7 },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public void Bad_bytes_are_refused_with_their_place(string type, string hex, MessagePackError expected, int position)
    {
        var bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

        var error = Assert.Throws<MessagePackException>(() => Read(type, bytes));

        Assert.Equal((expected, position), (error.Error, error.Position));
        Assert.Contains($"{position}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Error_says_what_was_expected_and_found()
    {
        var error = Assert.Throws<MessagePackException>(() => Read("point", [0x92, 0xA1, 0x61, 1]));

        Assert.Equal("Expected an integer at byte 1, found a string (0xA1).", error.Message);
    }

    [Fact]
    public void Nesting_ends_at_the_limit()
    {
        var deep = Nested(64);
        var deeper = Nested(65);

        Assert.NotNull(MessagePackSerializer.Deserialize(deep, Contracts.Default.Node));
        var error = Assert.Throws<MessagePackException>(() => MessagePackSerializer.Deserialize(deeper, Contracts.Default.Node));
        Assert.Equal(MessagePackError.TooDeep, error.Error);
        Assert.NotNull(MessagePackSerializer.Deserialize(deeper, Contracts.Default.Node, new() { MaxDepth = 65 }));
    }

    [Fact]
    public void Unknown_member_of_any_depth_is_skipped_without_a_call_a_level()
    {
        byte[] bytes = [0x93, 1, 2, .. Enumerable.Repeat((byte)0x91, 1_000_000), 0xC0];

        Assert.Equal(new Point(1, 2), MessagePackSerializer.Deserialize(bytes, Contracts.Default.Point));
    }

    [Fact]
    public void Limits_of_length_hold()
    {
        var limits = new MessagePackLimits { MaxBytes = 3, MaxItems = 2 };

        Assert.Equal(MessagePackError.TooLong, Assert.Throws<MessagePackException>(() => Limited([0x93, 1, 2, 3])).Error);
        Assert.Equal(MessagePackError.TooLong, Assert.Throws<MessagePackException>(() => LimitedMap([0x83, 0xA0, 0xA0, 0xA1, 1, 0xA0, 0xA1, 2, 0xA0])).Error);
        Assert.Equal(MessagePackError.TooLong, Assert.Throws<MessagePackException>(() => LimitedMap([0x81, 0xA4, 1, 2, 3, 4, 0xA0])).Error);
        Assert.Equal([1, 2], Limited([0x92, 1, 2]));

        List<int>? Limited(byte[] bytes) => MessagePackSerializer.Deserialize(bytes, Contracts.Default.Numbers, limits);
        void LimitedMap(byte[] bytes) => MessagePackSerializer.Deserialize(bytes, Contracts.Default.DictionaryOfStringAndString, limits);
    }

    [Fact]
    public void Promised_length_is_not_allocated()
    {
        // Sixteen million items promised and sixteen million bytes there, but the first is no item.
        var bytes = new byte[16_000_005];
        new byte[] { 0xDD, 0x00, 0xF4, 0x24, 0x00, 0xC1 }.CopyTo(bytes, 0);
        var before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Throws<MessagePackException>(() => MessagePackSerializer.Deserialize(bytes, Contracts.Default.DictionaryOfInt64AndString));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 8L * bytes.Length);
    }

    [Fact]
    public void Keys_chosen_to_collide_cost_no_more_than_others()
    {
        // Each of these keys has the hash code 0 by itself: a table that trusts it searches them one after the other.
        const int Count = 20_000;
        var bytes = SpecificationTests.Written((ref MessagePackWriter writer) =>
        {
            writer.WriteMapHeader(Count);
            for (var i = 0; i < Count; i++)
            {
                writer.Write(((long)i << 32) | (uint)i);
                writer.Write("");
            }
        });

        var read = MessagePackSerializer.Deserialize(bytes, Contracts.Default.DictionaryOfInt64AndString)!;

        Assert.Equal(Count, read.Count);
        Assert.All(read.Keys, key => Assert.Equal(0, key.GetHashCode()));
        Assert.InRange(read.Keys.Select(read.Comparer.GetHashCode).Distinct().Count(), Count - 100, Count);
    }

    [Fact]
    public void Every_cut_of_a_message_is_refused_and_every_split_read()
    {
        var bytes = MessagePackSerializer.Serialize(RoundTripTests.Full(), Contracts.Default.Everything);

        for (var cut = 0; cut < bytes.Length; cut++)
        {
            var part = bytes[..cut];
            Assert.Throws<MessagePackException>(() => MessagePackSerializer.Deserialize(part, Contracts.Default.Everything));
            var read = MessagePackSerializer.Deserialize(Segments(bytes, cut), Contracts.Default.Everything)!;
            Assert.Equal(RoundTripTests.Full().Uri, read.Uri);
            Assert.Equal(bytes, MessagePackSerializer.Serialize(read, Contracts.Default.Everything));
        }
    }

    [Fact]
    public void Message_in_segments_of_one_byte_is_read()
    {
        var bytes = MessagePackSerializer.Serialize(RoundTripTests.Full(), Contracts.Default.Everything);

        var read = MessagePackSerializer.Deserialize(Segments(bytes, [.. Enumerable.Range(1, bytes.Length - 1)]), Contracts.Default.Everything);

        Assert.Equal(bytes, MessagePackSerializer.Serialize(read!, Contracts.Default.Everything));
    }

    [Fact]
    public void Null_text_at_the_start_of_a_segment_is_read()
    {
        var reader = new MessagePackReader(Segments([0x01, MessagePackCode.Nil, 0x02], 1));

        Assert.Equal((1, null, 2), (reader.ReadInt32(), reader.ReadString(), reader.ReadInt32()));
    }

    internal static ReadOnlySequence<byte> Segments(byte[] bytes, params int[] cuts)
    {
        var first = new Segment(bytes.AsMemory(0, cuts[0]), 0);
        var last = first;
        for (var i = 0; i < cuts.Length; i++)
            last = last.Then(bytes.AsMemory(cuts[i], (i + 1 < cuts.Length ? cuts[i + 1] : bytes.Length) - cuts[i]));
        return new(first, 0, last, last.Memory.Length);
    }

    internal static void Read(string type, byte[] bytes)
    {
        _ = type switch
        {
            "point" => MessagePackSerializer.Deserialize(bytes, Contracts.Default.Point),
            "list" => MessagePackSerializer.Deserialize(bytes, Contracts.Default.Numbers),
            "map" => MessagePackSerializer.Deserialize(bytes, Contracts.Default.DictionaryOfStringAndString),
            "person" => MessagePackSerializer.Deserialize(bytes, Contracts.Default.Person),
            "shape" => MessagePackSerializer.Deserialize(bytes, Contracts.Default.IShape),
            "small" => MessagePackSerializer.Deserialize(bytes, Contracts.Default.ListOfSmall),
            _ => (object?)MessagePackSerializer.Deserialize(bytes, Contracts.Default.Everything),
        };
    }

    private static byte[] Nested(int levels) => [.. Enumerable.Repeat<byte[]>([0x92, 1], levels).SelectMany(b => b), 0xC0];

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, long before)
        {
            Memory = memory;
            RunningIndex = before;
        }

        public Segment Then(ReadOnlyMemory<byte> memory)
        {
            var next = new Segment(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
