using System.Globalization;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>Permissions asked of Go's server and of ours: every pattern against every subject, allowed and denied.</summary>
public sealed class PermissionTests
{
    private static readonly string[] Patterns =
        [">", "*", "a", "a.*", "*.a", "*.*", "a.>", "a.*.c", "a.b.>", "*.>", "a.b", "a.b.c", "$JS.API.>", "a*.b", "a.b*"];

    private static readonly string[] Subjects =
    [
        "a.>", "a.*", "a", "*", ">", "a.b", "a.b.c", "a.*.c", "a.>.c", "*.a", "*.>", ">.a", "a..b", "a.", ".a", "b.>", "$JS.API.x", "a.b.>", "a.b.*", "a*.b",
        "a.b*", "a>", "a.b>",
    ];

    private static readonly string[] Replies =
        ["_R_.x", "_R_", "_GR_.x.y.z", "$GR.x", "$JS.ACK.S.C.1.1.1.1.1", "$JS.ACK.x", "$NRG.x", "$SYS.x", "$JS.API.INFO", "_INBOX.>", "a.*"];

    // A wider subscription than the pattern allows: Go lets it and delivers what the pattern does not name. Written down in
    // docs/conformance.md.
    private static readonly (string Pattern, string Subject)[] Stricter =
        [("*", ">"), ("a.*", "a.>"), ("*.*", "a.>"), ("*.*", "*.>"), ("*.*", "b.>")];

    [Fact]
    public async Task Publishing_is_allowed_and_denied_alike()
    {
        var expected = await AskAsync(ServerKind.Go, PublishAsync);

        Assert.True(expected.Count >= 600);
        Assert.Equal(expected, await AskAsync(ServerKind.Postrider, PublishAsync));
    }

    [Fact]
    public async Task Subscribing_is_allowed_and_denied_alike_but_for_what_is_written_down()
    {
        var expected = await AskAsync(ServerKind.Go, SubscribeAsync);
        var actual = await AskAsync(ServerKind.Postrider, SubscribeAsync);

        var differences = expected.Where(pair => actual[pair.Key] != pair.Value).Select(pair => pair.Key).ToList();
        Assert.True(expected.Count >= 1200);
        Assert.Equal(Stricter.SelectMany(pair => new[] { "", "q" }.Select(group => $"allow {pair.Pattern}: SUB {pair.Subject} {group}")).Order(), differences.Order());
        Assert.All(differences, key => Assert.StartsWith("-ERR 'Permissions Violation for Subscription", actual[key], StringComparison.Ordinal));
    }

    [Fact]
    public async Task Denied_subjects_do_not_arrive_through_wider_subscriptions()
    {
        var expected = await AskAsync(ServerKind.Go, ReceiveAsync);

        Assert.True(expected.Count >= 30);
        Assert.Equal(expected, await AskAsync(ServerKind.Postrider, ReceiveAsync));
    }

    [Fact]
    public async Task Reserved_reply_subjects_are_refused_alike()
    {
        var expected = await AskAsync(ServerKind.Go, ReplyAsync);

        Assert.Equal(Replies.Length, expected.Count);
        Assert.Equal(expected, await AskAsync(ServerKind.Postrider, ReplyAsync));
    }

    private static async Task<SortedDictionary<string, string>> AskAsync(ServerKind kind, Func<int, SortedDictionary<string, string>, Task> ask)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Configuration()));
        var answers = new SortedDictionary<string, string>(StringComparer.Ordinal);
        await ask(server.Port, answers);
        return answers;
    }

    private static async Task PublishAsync(int port, SortedDictionary<string, string> answers)
    {
        foreach (var (verb, index, pattern) in Rules())
        {
            await using var client = await ConnectAsync(port, $"publish-{verb}-{index}");
            foreach (var subject in Subjects)
            {
                await client.SendAsync($"PUB {subject} 0\r\n\r\n");
                answers[$"{verb} {pattern}: PUB {subject}"] = await client.FenceAsync();
            }
        }
    }

    private static async Task SubscribeAsync(int port, SortedDictionary<string, string> answers)
    {
        foreach (var (verb, index, pattern) in Rules())
        {
            await using var client = await ConnectAsync(port, $"subscribe-{verb}-{index}");
            foreach (var subject in Subjects)
            {
                foreach (var group in (string[])["", "q"])
                {
                    await client.SendAsync($"SUB {subject} {group} 1\r\n");
                    answers[$"{verb} {pattern}: SUB {subject} {group}"] = await client.FenceAsync();
                    await client.SendAsync("UNSUB 1\r\n");
                }
            }
        }
    }

    private static async Task ReceiveAsync(int port, SortedDictionary<string, string> answers)
    {
        foreach (var (index, pattern) in Patterns.Index())
        {
            foreach (var group in (string[])["", "q"])
            {
                // Its own messages: they are written before the PONG.
                await using var client = await ConnectAsync(port, $"subscribe-deny-{index}");
                await client.SendAsync($"SUB > {group} 1\r\n");
                foreach (var subject in Subjects.Where(static subject => !subject.StartsWith('.') && !subject.EndsWith('.') && !subject.Contains("..", StringComparison.Ordinal)))
                    await client.SendAsync($"PUB {subject} 0\r\n\r\n");
                answers[$"deny {pattern} {group}"] = await client.FenceAsync();
            }
        }
    }

    private static async Task ReplyAsync(int port, SortedDictionary<string, string> answers)
    {
        await using var client = await ConnectAsync(port, "all");
        foreach (var reply in Replies)
        {
            await client.SendAsync($"PUB ask {reply} 0\r\n\r\n");
            answers[reply] = await client.FenceAsync();
        }
    }

    private static async Task<RawConnection> ConnectAsync(int port, string user)
    {
        var client = await RawConnection.OpenAsync(port);
        await client.SendAsync($$"""CONNECT {"verbose":false,"pedantic":false,"user":"{{user}}","pass":"p"}""" + "\r\n");
        Assert.Equal("", await client.FenceAsync());
        return client;
    }

    private static IEnumerable<(string Verb, int Index, string Pattern)> Rules()
        => Patterns.Index().SelectMany(static pattern => new[] { ("allow", pattern.Index, pattern.Item), ("deny", pattern.Index, pattern.Item) });

    private static string Configuration()
    {
        var users = Rules().SelectMany(static rule => new[] { "publish", "subscribe" }.Select(direction => string.Create(
            CultureInfo.InvariantCulture,
            $$"""{ user: {{direction}}-{{rule.Verb}}-{{rule.Index}}, password: p, permissions: { {{direction}}: { {{rule.Verb}}: ["{{rule.Pattern}}"] } } }""")));
        return $"authorization {{ users [\n{string.Join('\n', users)}\n{{ user: all, password: p }}\n] }}";
    }
}
