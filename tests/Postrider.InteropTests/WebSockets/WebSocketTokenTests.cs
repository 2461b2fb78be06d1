using Postrider.InteropTests.Authentication;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.WebSockets;

/// <summary>A user's token in the cookie that <c>jwt_cookie</c> names, in operator mode.</summary>
public sealed class WebSocketTokenTests
{
    [Fact]
    public async Task Token_in_the_cookie_logs_in_and_a_wrong_one_does_not()
    {
        using var authority = await Authority.CreateAsync();
        using var stranger = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        await stranger.RunAsync("account", "add", "orders");
        await authority.AddUserAsync("orders", "bearer", "--bearer", "--allow-pub", "orders.>");
        await authority.AddUserAsync("orders", "clerk");
        await stranger.AddUserAsync("orders", "foreign", "--bearer");
        var (bearer, clerk, foreign) = (await TokenAsync(authority, "bearer"), await TokenAsync(authority, "clerk"), await TokenAsync(stranger, "foreign"));
        var configuration = await authority.WriteConfigurationAsync("websocket { listen: \"127.0.0.1:-1\", no_tls: true, jwt_cookie: session }");
        (string Cookie, string Members, string Expected)[] attempts =
        [
            ($"session={bearer}", "", "+OK"),
            ($"other=1; session={bearer}; more=2", "", "+OK"),
            ($"session={foreign}", "", "Authorization Violation"),
            ($"session={bearer}x", "", "Authorization Violation"),
            ($"session={bearer[..^10]}", "", "Authorization Violation"),
            ("session=garbage", "", "Authorization Violation"),
            ("session=", "", "Authorization Violation"),
            ($"other={bearer}", "", "Authorization Violation"),
            // A user that is no bearer has to sign.
            ($"session={clerk}", "", "Authorization Violation"),
            // CONNECT comes before the cookie.
            ($"session={bearer}", $"\"jwt\":\"{foreign}\",", "Authorization Violation"),
            ($"session={foreign}", $"\"jwt\":\"{bearer}\",", "+OK"),
        ];

        var answers = new Dictionary<ServerKind, List<string>>();
        foreach (var kind in (ServerKind[])[ServerKind.Go, ServerKind.Postrider])
        {
            await using var server = await ServerProcess.StartAsync(kind, "-c", configuration);
            answers[kind] = [];
            foreach (var (cookie, members, _) in attempts) answers[kind].Add(await AskAsync(server, cookie, members));
        }

        Assert.Equal(answers[ServerKind.Go], answers[ServerKind.Postrider]);
        Assert.All(attempts.Zip(answers[ServerKind.Postrider]), static pair => Assert.Contains(pair.First.Expected, pair.Second, StringComparison.Ordinal));
        // The token's permissions apply.
        Assert.Contains("Permissions Violation for Publish to \"secret\"", answers[ServerKind.Postrider][0], StringComparison.Ordinal);
    }

    private static Task<string> AskAsync(ServerProcess server, string cookie, string members)
    {
        var request = RawWebSocket.Request.Insert(RawWebSocket.Request.Length - 2, $"Cookie: {cookie}\r\n");
        var operations = RawWebSocket.Frame(0x82, $"CONNECT {{{members}\"verbose\":true}}\r\nPUB secret 0\r\n\r\n");
        return RawWebSocket.ExchangeAsync(server.WebSocketPort(), request, [.. operations, .. RawWebSocket.Frame(0x88, "\x03\xE8")]);
    }

    private static async Task<string> TokenAsync(Authority authority, string user) => (await File.ReadAllTextAsync(authority.FileOf($"auth/accounts/orders/{user}.jwt"))).Trim();
}
