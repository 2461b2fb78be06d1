using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Protobuf;

namespace Postrider.UnitTests.Rpc.Grpc;

public sealed class GrpcNamesTests
{
    [Theory]
    [InlineData("1H", 3_600_000)]
    [InlineData("2M", 120_000)]
    [InlineData("3S", 3_000)]
    [InlineData("99999999m", 99_999_999)]
    [InlineData("5000u", 5)]
    [InlineData("7000000n", 7)]
    [InlineData("0n", 0)]
    [InlineData("99999999H", int.MaxValue)]
    public void Timeout_is_read(string text, int milliseconds)
    {
        Assert.True(GrpcNames.TryParseTimeout(text, out var time));

        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), time);
    }

    [Theory]
    [InlineData("")]
    [InlineData("m")]
    [InlineData("1")]
    [InlineData("-1m")]
    [InlineData("+1m")]
    [InlineData("1 m")]
    [InlineData("1.5S")]
    [InlineData("1s")]
    [InlineData("123456789m")]
    public void Timeout_that_is_none_is_refused(string text) => Assert.False(GrpcNames.TryParseTimeout(text, out _));

    [Theory]
    [InlineData(0, "0m")]
    [InlineData(-5, "0m")]
    [InlineData(1.2, "2m")]
    [InlineData(99_999_999, "99999999m")]
    [InlineData(100_000_000, "100000S")]
    [InlineData(1e12, "99999999S")]
    public void Timeout_is_written(double milliseconds, string text) => Assert.Equal(text, GrpcNames.FormatTimeout(TimeSpan.FromMilliseconds(milliseconds)));

    [Theory]
    [InlineData("plain text", "plain text")]
    [InlineData("100 %", "100 %25")]
    [InlineData("größe\n", "gr%C3%B6%C3%9Fe%0A")]
    public void Message_is_encoded_and_comes_back(string text, string encoded)
    {
        Assert.Equal(encoded, GrpcNames.Encode(text));
        Assert.Equal(text, Uri.UnescapeDataString(encoded));
    }

    [Fact]
    public void Content_type_names_the_codec()
    {
        Assert.Equal("application/grpc", GrpcNames.ContentTypeFor(new RpcProtobufCodec()));
        Assert.Equal("application/grpc+msgpack", GrpcNames.ContentTypeFor(new RpcMessagePackCodec()));
        Assert.Equal("application/grpc+json", GrpcNames.ContentTypeFor(new RpcJsonCodec()));
    }
}
