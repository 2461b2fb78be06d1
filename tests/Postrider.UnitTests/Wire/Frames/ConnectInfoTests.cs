using System.Text;
using System.Text.Json;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class ConnectInfoTests
{
    [Fact]
    public void What_a_connect_does_not_say_has_the_protocols_default()
    {
        var info = Read("{}");

        Assert.Equal(new ConnectInfo { Verbose = true, Pedantic = true, Echo = true, Headers = false, NoResponders = false, Protocol = 0, TlsRequired = false }, info);
    }

    [Fact]
    public void What_a_connect_says_is_read_and_what_is_unknown_is_skipped()
    {
        var info = Read("""
            {"verbose":false,"pedantic":false,"echo":false,"tls_required":true,"headers":true,"no_responders":true,"protocol":1,
             "user":"u","pass":"p\u0020","auth_token":"t","name":"ä","lang":"c","version":"1","nkey":"U","jwt":"j","sig":"s","account":"A",
             "new_account":true,"unheard_of":{"a":[1,null]}} 
            """);

        Assert.Equal(new ConnectInfo
        {
            Verbose = false,
            Pedantic = false,
            Echo = false,
            TlsRequired = true,
            Headers = true,
            NoResponders = true,
            Protocol = 1,
            User = "u",
            Password = "p ",
            Token = "t",
            Name = "ä",
            Language = "c",
            Version = "1",
            Nkey = "U",
            Jwt = "j",
            Signature = "s",
            Account = "A",
            NewAccount = true,
        }, info);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("{\"verbose\":\"yes\"}")]
    [InlineData("{} x")]
    public void What_is_no_connect_is_refused(string json) => Assert.Throws<JsonException>(() => Read(json));

    [Fact]
    public void Connect_is_written_to_the_byte()
    {
        var bytes = JsonSerializer.SerializeToUtf8Bytes(
            new ConnectInfo { Verbose = false, Pedantic = false, Name = "n", Language = ".NET", Version = "0.1.0", Protocol = 1, Headers = true, NoResponders = true },
            WireJsonContext.Default.ConnectInfo);

        Assert.Equal(
            """{"verbose":false,"pedantic":false,"tls_required":false,"name":"n","lang":".NET","version":"0.1.0","protocol":1,"echo":true,"headers":true,"no_responders":true}""",
            Encoding.UTF8.GetString(bytes));
    }

    private static ConnectInfo? Read(string json) => JsonSerializer.Deserialize(Encoding.UTF8.GetBytes(json), WireJsonContext.Default.ConnectInfo);
}
