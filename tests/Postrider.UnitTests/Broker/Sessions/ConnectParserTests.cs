using System.Text;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

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

    [Theory]
    [InlineData("{}", "a", "p", false, true, 1)]
    [InlineData("null", "a", "p", false, true, 1)]
    [InlineData("""{"user":"b"}""", "b", "p", false, true, 1)]
    [InlineData("""{"USER":"b","Pass":"q"}""", "b", "q", false, true, 1)]
    [InlineData("""{"user":null,"verbose":true,"headers":false,"protocol":0}""", "a", "p", true, false, 0)]
    public void Another_CONNECT_keeps_what_it_does_not_name(string text, string user, string password, bool verbose, bool headers, int protocol)
    {
        var earlier = new ConnectInfo { User = "a", Password = "p", Verbose = false, Headers = true, Protocol = 1 };

        var connect = ConnectParser.Parse(Encoding.UTF8.GetBytes(text), earlier)!;

        Assert.Equal((user, password, verbose, headers, protocol), (connect.User, connect.Password, connect.Verbose, connect.Headers, connect.Protocol));
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("""{"verbose":"yes"}""")]
    public void Another_CONNECT_must_be_valid_too(string text)
        => Assert.Null(ConnectParser.Parse(Encoding.UTF8.GetBytes(text), new ConnectInfo()));

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
