using System.Buffers;
using System.Text;
using Postrider.Rpc;
using Postrider.Rpc.Newtonsoft;
using Postrider.Rpc.Soap;

namespace Postrider.UnitTests.Rpc.Codecs;

public sealed class CodecTests
{
    private static readonly RpcCodec[] s_codecs = [new RpcMessagePackCodec(), new RpcJsonCodec(), new RpcNewtonsoftCodec(), new RpcXmlSerializerCodec(), new RpcBytesCodec(new RpcJsonCodec())];

    public static TheoryData<int> Codecs => [0, 1, 2, 3, 4];

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Several_parameters_are_read_as_they_were_written(int codec)
    {
        var formatter = Three(s_codecs[codec]);

        var read = formatter.Read(new ReadOnlySequence<byte>(Bytes(formatter, new(7, new("größe", new(Guid.Empty, default))))));

        Assert.Equal((7, "größe", Guid.Empty), (read.First, read.Rest.First, read.Rest.Rest.First));
    }

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Parameters_in_any_pieces_are_read_the_same(int codec)
    {
        var formatter = Three(s_codecs[codec]);
        var bytes = Bytes(formatter, new(7, new("größe", new(Guid.Empty, default))));

        Assert.All(Enumerable.Range(1, bytes.Length - 1), cut =>
        {
            var read = formatter.Read(MessagePack.BadInputTests.Segments(bytes, cut));
            Assert.Equal((7, "größe", Guid.Empty), (read.First, read.Rest.First, read.Rest.Rest.First));
        });
    }

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Parameters_cut_short_are_refused(int codec)
    {
        var formatter = Three(s_codecs[codec]);
        var bytes = Bytes(formatter, new(7, new("größe", new(Guid.Empty, default))));

        Assert.All(Enumerable.Range(0, bytes.Length), cut => Assert.Equal(
            RpcStatus.InvalidData, Assert.Throws<RpcException>(() => formatter.Read(new ReadOnlySequence<byte>(bytes, 0, cut))).Status));
    }

    [Theory]
    [MemberData(nameof(Codecs))]
    public void What_follows_a_message_is_refused(int codec)
    {
        byte[] bytes = [.. Bytes(s_codecs[codec].GetFormatter<int>(), 5), (byte)'1'];
        byte[] several = [.. Bytes(Three(s_codecs[codec]), new(1, new("", new(Guid.Empty, default)))), (byte)'1'];

        // The digit makes another number of a JSON number: a blank keeps them apart.
        if (codec is 1 or 2 or 4)
            bytes = "5 1"u8.ToArray();
        Assert.Throws<RpcException>(() => s_codecs[codec].GetFormatter<int>().Read(new ReadOnlySequence<byte>(bytes)));
        Assert.Throws<RpcException>(() => Three(s_codecs[codec]).Read(new ReadOnlySequence<byte>(several)));
    }

    [Fact]
    public void Caller_with_fewer_or_more_parameters_is_understood()
    {
        var codec = new RpcMessagePackCodec();
        var two = codec.Combine("a", codec.GetFormatter<int>(), codec.Combine("b", codec.GetFormatter<string>(), codec.GetFormatter<Unit>()));

        var fewer = Three(codec).Read(new ReadOnlySequence<byte>(Bytes(two, new(1, new("x", default)))));
        var more = two.Read(new ReadOnlySequence<byte>(Bytes(Three(codec), new(1, new("x", new(Guid.NewGuid(), default))))));

        Assert.Equal((1, "x", Guid.Empty), (fewer.First, fewer.Rest.First, fewer.Rest.Rest.First));
        Assert.Equal((1, "x"), (more.First, more.Rest.First));
    }

    [Theory]
    [InlineData("""{"b":"x","A":2}""", 2, "x")]
    [InlineData("""{"other":{"deep":[1]},"b":"x"}""", 0, "x")]
    [InlineData("{}", 0, null)]
    public void Json_parameters_are_found_by_name_in_any_order(string json, int first, string? second)
    {
        var read = Three(new RpcJsonCodec()).Read(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(json)));

        Assert.Equal((first, second), (read.First, read.Rest.First));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    public void Type_that_the_codec_does_not_know_is_named(int codec)
    {
        var failure = Assert.Throws<RpcException>(() => s_codecs[codec].GetFormatter<CodecTests>());

        Assert.Equal(RpcStatus.Unsupported, failure.Status);
        Assert.Contains(nameof(CodecTests), failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Nothing_has_no_bytes(int codec)
    {
        var formatter = s_codecs[codec].GetFormatter<Unit>();

        Assert.Empty(Bytes(formatter, default));
        Assert.Equal(default, formatter.Read(ReadOnlySequence<byte>.Empty));
    }

    private static RpcFormatter<RpcArguments<int, RpcArguments<string, RpcArguments<Guid, Unit>>>> Three(RpcCodec codec)
        => codec.Combine("a", codec.GetFormatter<int>(), codec.Combine("b", codec.GetFormatter<string>(), codec.Combine("c", codec.GetFormatter<Guid>(), codec.GetFormatter<Unit>())));

    private static byte[] Bytes<T>(RpcFormatter<T> formatter, T value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        formatter.Write(buffer, value);
        return buffer.WrittenSpan.ToArray();
    }
}
