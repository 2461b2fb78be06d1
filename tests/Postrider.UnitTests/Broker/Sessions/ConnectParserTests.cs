using System.Text;
using Postrider.Broker.Sessions;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class ConnectParserTests
{
    [Fact]
    public void Members_that_are_not_named_keep_their_defaults()
    {
        var connect = ConnectParser.Parse("""{"user":"me","headers":true}"""u8)!;

        Assert.Equal(("me", true, true, true), (connect.User, connect.Headers, connect.Verbose, connect.Echo));
    }

    [Theory]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("""{"verbose":null,"user":null,"protocol":null}""")]
    public void What_is_null_is_not_there(string text)
    {
        var connect = ConnectParser.Parse(Encoding.UTF8.GetBytes(text))!;

        Assert.Equal((true, null, 0), (connect.Verbose, connect.User, connect.Protocol));
    }

    [Fact]
    public void Bytes_that_are_not_UTF8_are_replaced()
        => Assert.Equal("a\ufffd", ConnectParser.Parse([.. "{\"name\":\"a"u8, 0xff, .. "\"}"u8])!.Name);

    [Theory]
    [InlineData("""{"name":"\ud800"}""", "\ufffd")]
    [InlineData("""{"name":"\udc00x"}""", "\ufffdx")]
    [InlineData("""{"name":"\ud83d\ude00"}""", "\ud83d\ude00")]
    [InlineData("""{"name":"\ud83d\ude00","verbose":null}""", "\ud83d\ude00")]
    public void Lone_surrogate_is_replaced_and_a_pair_is_kept(string text, string expected)
        => Assert.Equal(expected, ConnectParser.Parse(Encoding.UTF8.GetBytes(text))!.Name);

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("1")]
    [InlineData("{} {}")]
    [InlineData("""{"verbose":"yes"}""")]
    [InlineData("""{"verbose":false,}""")]
    public void Anything_else_is_no_CONNECT(string text)
        => Assert.Null(ConnectParser.Parse(Encoding.UTF8.GetBytes(text)));
}
