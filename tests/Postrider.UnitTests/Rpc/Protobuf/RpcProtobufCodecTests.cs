using System.Buffers;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using Postrider.Rpc;
using Postrider.Rpc.Protobuf;

namespace Postrider.UnitTests.Rpc.Protobuf;

public sealed class RpcProtobufCodecTests
{
    private static readonly RpcProtobufCodec Codec = new(TypeReflection.Descriptor, WrappersReflection.Descriptor, TimestampReflection.Descriptor);

    [Fact]
    public void Message_is_what_google_writes()
    {
        var option = new Option { Name = "größe", Value = Any.Pack(new Timestamp { Seconds = -1, Nanos = 5 }) };

        var bytes = Write(Codec.GetFormatter<Option>(), option);

        Assert.Equal(option.ToByteArray(), bytes);
        Assert.Equal(option, Read(Codec.GetFormatter<Option>(), bytes));
    }

    [Fact]
    public void Message_of_an_imported_file_is_known()
        => Assert.Equal("google.protobuf.Any", Codec.SchemaName(typeof(Any)));

    [Fact]
    public void Message_of_no_file_is_not_known()
    {
        var failure = Assert.Throws<RpcException>(() => Codec.GetFormatter<Struct>());

        Assert.Equal(RpcStatus.Unsupported, failure.Status);
    }

    [Fact]
    public void Scalars_are_the_wrappers()
    {
        Same(true, new BoolValue { Value = true });
        Same(-7, new Int32Value { Value = -7 });
        Same(int.MaxValue, new Int32Value { Value = int.MaxValue });
        Same(long.MinValue, new Int64Value { Value = long.MinValue });
        Same(uint.MaxValue, new UInt32Value { Value = uint.MaxValue });
        Same(ulong.MaxValue, new UInt64Value { Value = ulong.MaxValue });
        Same(1.5f, new FloatValue { Value = 1.5f });
        Same(double.NaN, new DoubleValue { Value = double.NaN });
        Same("größe", new StringValue { Value = "größe" });
        Same<byte[]>([0, 255], new BytesValue { Value = ByteString.CopyFrom(0, 255) });
    }

    [Fact]
    public void Minus_zero_is_no_default()
        => Assert.True(float.IsNegative(Read(Codec.GetFormatter<float>(), Write(Codec.GetFormatter<float>(), -0f))));

    [Fact]
    public void Defaults_are_not_written()
    {
        Same(false, new BoolValue());
        Same(0, new Int32Value());
        Same(0d, new DoubleValue());
        Same("", new StringValue());
        Same<byte[]>([], new BytesValue());
    }

    [Fact]
    public void Parameters_are_the_fields_of_a_message()
    {
        var form = Codec.Combine("seconds", Codec.GetFormatter<long>(), Codec.Combine("nanos", Codec.GetFormatter<int>(), Codec.GetFormatter<Unit>()));

        var bytes = Write(form, new(70, new(9, default)));

        Assert.Equal(new Timestamp { Seconds = 70, Nanos = 9 }.ToByteArray(), bytes);
        var read = Read(form, bytes);
        Assert.Equal((70L, 9), (read.First, read.Rest.First));
    }

    [Fact]
    public void Parameter_may_be_a_message()
    {
        var form = Codec.Combine("name", Codec.GetFormatter<string>(), Codec.Combine("value", Codec.GetFormatter<Any>(), Codec.GetFormatter<Unit>()));
        var any = Any.Pack(new Timestamp { Seconds = 3 });

        var bytes = Write(form, new("n", new(any, default)));

        Assert.Equal(new Option { Name = "n", Value = any }.ToByteArray(), bytes);
        Assert.Equal(any, Read(form, bytes).Rest.First);
    }

    [Fact]
    public void Parameters_that_were_not_sent_have_their_defaults_and_unknown_ones_are_passed_over()
    {
        var form = Codec.Combine("name", Codec.GetFormatter<string>(), Codec.Combine("value", Codec.GetFormatter<Any>(), Codec.Combine("data", Codec.GetFormatter<byte[]>(), Codec.GetFormatter<Unit>())));

        var empty = Read(form, []);
        var newer = Read(form, [0x20, 1, 0x29, 0, 0, 0, 0, 0, 0, 0, 0, 0x32, 1, 0, 0x3D, 0, 0, 0, 0, 0x0A, 1, (byte)'x']);

        Assert.Equal(("", new Any()), (empty.First, empty.Rest.First));
        Assert.Empty(empty.Rest.Rest.First);
        Assert.Equal("x", newer.First);
    }

    [Theory]
    [InlineData(new byte[] { 0x0A })]
    [InlineData(new byte[] { 0x0A, 0x05, 0x41 })]
    [InlineData(new byte[] { 0x0A, 0x02, 0xC3, 0x28 })]
    [InlineData(new byte[] { 0x08, 0x01 })]
    [InlineData(new byte[] { 0x00 })]
    [InlineData(new byte[] { 0x13 })]
    [InlineData(new byte[] { 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01 })]
    [InlineData(new byte[] { 0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F })]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01 })]
    [InlineData(new byte[] { 0x12, 0x02, 0x0A, 0x05 })]
    [InlineData(new byte[] { 0x25, 0x00 })]
    public void Bytes_that_are_no_message_are_invalid(byte[] bytes)
    {
        var form = Codec.Combine("name", Codec.GetFormatter<string>(), Codec.Combine("value", Codec.GetFormatter<Any>(), Codec.GetFormatter<Unit>()));

        Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(form, bytes)).Status);
        Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(Codec.GetFormatter<string>(), bytes[0] == 0x12 ? [0x0A, 0x02, 0x80] : bytes)).Status);
    }

    [Fact]
    public void Every_cut_of_a_message_is_read_or_invalid()
    {
        var whole = new Option { Name = "a name", Value = Any.Pack(new Timestamp { Seconds = 1L << 40, Nanos = 5 }) }.ToByteArray();
        var form = Codec.Combine("name", Codec.GetFormatter<string>(), Codec.Combine("value", Codec.GetFormatter<Any>(), Codec.GetFormatter<Unit>()));

        for (var cut = 0; cut < whole.Length; cut++)
        {
            Quietly(() => Read(form, whole[..cut]));
            Quietly(() => Read(Codec.GetFormatter<Option>(), whole[..cut]));
        }

        Assert.Equal("a name", Read(form, whole).First);
    }

    [Fact]
    public void Random_bytes_are_read_or_invalid()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var form = Codec.Combine("name", Codec.GetFormatter<string>(), Codec.Combine("value", Codec.GetFormatter<Any>(), Codec.Combine("n", Codec.GetFormatter<double>(), Codec.GetFormatter<Unit>())));

        for (var i = 0; i < 20_000; i++)
        {
            var bytes = new byte[random.Next(24)];
            random.NextBytes(bytes);
            Quietly(() => Read(form, bytes));
            Quietly(() => Read(Codec.GetFormatter<Option>(), bytes));
        }

        Assert.Equal("x", Read(form, [0x0A, 1, (byte)'x']).First);
    }

    [Fact]
    public void Message_that_is_null_cannot_be_sent()
        => Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Write(Codec.GetFormatter<Any>(), null!)).Status);

    private static void Same<T>(T value, IMessage wrapper)
    {
        var bytes = Write(Codec.GetFormatter<T>(), value);

        Assert.Equal(wrapper.ToByteArray(), bytes);
        Assert.Equal(value, Read(Codec.GetFormatter<T>(), bytes));
    }

    private static byte[] Write<T>(RpcFormatter<T> formatter, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        formatter.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    private static T Read<T>(RpcFormatter<T> formatter, byte[] bytes) => formatter.Read(new ReadOnlySequence<byte>(bytes));

    private static void Quietly(Action read)
    {
        try
        {
            read();
        }
        catch (RpcException bad)
        {
            Assert.Equal(RpcStatus.InvalidData, bad.Status);
        }
    }
}
