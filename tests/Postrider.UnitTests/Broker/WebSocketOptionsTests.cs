using Postrider.Broker;

namespace Postrider.UnitTests.Broker;

public sealed class WebSocketOptionsTests
{
    public static TheoryData<WebSocketOptions, string> Refused => new()
    {
        { new WebSocketOptions(), "websocket requires TLS configuration" },
        { new WebSocketOptions { NoTls = true, Port = 0 }, "websocket port 0 is neither between 1 and 65535 nor -1 for a free one" },
        { new WebSocketOptions { NoTls = true, Host = "" }, "websocket host must not be empty" },
        { new WebSocketOptions { Tls = new ServerTlsOptions { CertFile = "none" } }, "websocket: missing 'key_file' in TLS configuration" },
        { new WebSocketOptions { NoTls = true, AllowedOrigins = ["here.org"] }, "unable to parse allowed origin: parse \"here.org\": invalid URI for request" },
        { new WebSocketOptions { NoTls = true, AllowedOrigins = ["ftp://here.org"] }, "unable to parse allowed origin \"ftp://here.org\": allowed origins must be absolute URLs with http or https scheme" },
        { new WebSocketOptions { NoTls = true, NoAuthUser = "guest" }, "no_auth_user: \"guest\" present, but users/nkeys are not defined" },
        { new WebSocketOptions { NoTls = true, User = "a", Token = "t" }, "websocket: Cannot have a user/pass and token" },
        { new WebSocketOptions { NoTls = true, JwtCookie = "j" }, "trusted operators or trusted keys configuration is required for JWT authentication via cookie \"j\"" },
        { With("Host", "x"), "websocket: invalid header \"Host\" not allowed" },
        { With("Sec-WebSocket-Accept", "x"), "websocket: invalid header \"Sec-WebSocket-Accept\", \"Sec-WebSocket-\" prefix not allowed" },
        { With("X-One", "a\r\nX-Two: b"), "websocket: invalid header \"X-One\": names are visible ASCII without a colon, values are one line" },
        { With("X One", "a"), "websocket: invalid header \"X One\": names are visible ASCII without a colon, values are one line" },
        { new WebSocketOptions { NoTls = true, HandshakeTimeout = TimeSpan.Zero }, "websocket handshake_timeout (0s) must be positive" },
        { new WebSocketOptions { NoTls = true, PingInterval = TimeSpan.Zero }, "websocket ping_interval (0s) must be positive" },
        { new WebSocketOptions { NoTls = true, AuthTimeout = TimeSpan.Zero }, "websocket authorization timeout (0s) must be positive" },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_is_wrong_is_told(WebSocketOptions options, string expected)
    {
        var error = Assert.Throws<BrokerException>(() => new BrokerOptions { WebSocket = options }.Validate());

        Assert.Equal(expected, error.Message);
    }

    [Theory]
    [InlineData("a", null, "websocket authentication username not compatible with presence of users/nkeys")]
    [InlineData(null, "t", "websocket authentication token not compatible with presence of users/nkeys")]
    public void Credentials_of_the_listener_exclude_a_list_of_users(string? user, string? token, string expected)
    {
        var options = new BrokerOptions
        {
            WebSocket = new WebSocketOptions { NoTls = true, User = user, Token = token },
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "b", Password = "c" }] },
        };

        Assert.Equal(expected, Assert.Throws<BrokerException>(options.Validate).Message);
    }

    [Fact]
    public async Task Reload_takes_everything_but_the_listener()
    {
        var options = new BrokerOptions { Listen = false, WebSocket = new WebSocketOptions { NoTls = true, AllowedOrigins = ["https://a.org", "https://b.org"], Password = "secret" } };
        await using var broker = await NatsBroker.StartAsync(options);

        broker.Reload(options with { MaxPayloadBytes = 1000, WebSocket = options.WebSocket! with { AllowedOrigins = ["https://b.org", "https://a.org"] } });
        var refused = Assert.Throws<BrokerException>(() => broker.Reload(options with { WebSocket = options.WebSocket! with { Password = "other" } }));
        var without = Assert.Throws<BrokerException>(() => broker.Reload(options with { WebSocket = null }));

        Assert.Equal("config reload not supported for Websocket", refused.Message);
        Assert.Equal("config reload not supported for Websocket", without.Message);
        Assert.StartsWith("ws://127.0.0.1:", broker.WebSocketUrl, StringComparison.Ordinal);
    }

    private static WebSocketOptions With(string name, string value)
        => new() { NoTls = true, Headers = new Dictionary<string, string>(StringComparer.Ordinal) { [name] = value } };
}
