using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;
using Postrider.InteropTests.Tracing;

namespace Postrider.InteropTests.Attacks;

/// <summary>Attempts to hear or say what a user may not, on both servers: answers, and what others receive, are the same.</summary>
public sealed class PermissionAttackTests(AttackServers servers) : IClassFixture<AttackServers>
{
    // What the victim says afterwards, and who might listen.
    private static readonly string[] Said = ["sub.secret", "sub.deep.x", "sub.both", "sub.ok", "pub.ok", "q.one", "q.many", "q.prefix", "priv.a", "_INBOX.victim.1", "out.one", "out.two"];

    public static TheoryData<string> Names => [.. PermissionAttacks.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Attempt_ends_as_on_Gos_server(string name)
    {
        var go = await TellAsync(ServerKind.Go, name);
        var own = await TellAsync(ServerKind.Postrider, name);

        Assert.Equal(go, own);
        var isHeld = !go.Any(static line => line.StartsWith("victim ", StringComparison.Ordinal) && (line.Contains("MSG pub.secret ", StringComparison.Ordinal) || line.Contains("MSG pub.deep.", StringComparison.Ordinal)));
        Assert.True(isHeld, string.Join('\n', go));
    }

    private async Task<List<string>> TellAsync(ServerKind kind, string name)
    {
        var (user, frames) = PermissionAttacks.All[name];
        var port = servers[kind].Port;
        await using var victim = await SystemClient.ConnectAsync(port, "victim", "victim");
        await using var other = await SystemClient.ConnectAsync(port, "other", "bystander");
        await using var attacker = await SystemClient.ConnectAsync(port, user, "attacker");
        await victim.SubscribeAsync("pub.>", "sub.>", "svc.>", "ask.>", "none", "_INBOX.victim.>", "r.>");
        await other.SubscribeAsync("in.>");

        await attacker.SendAsync(frames.Replace("|", "\r\n", StringComparison.Ordinal));
        var lives = await TryFenceAsync(attacker);
        foreach (var subject in Said) await victim.PublishAsync(subject, "said");
        await victim.FenceAsync();
        // Everything before it is on its way by then.
        await other.UntilAsync(static text => text.Contains("MSG in.out.two ", StringComparison.Ordinal));
        if (lives) lives = await TryFenceAsync(attacker);
        await other.FenceAsync();
        await victim.FenceAsync();

        return
        [
            $"attacker {(lives ? "lives" : "is gone")} {TraceText.MessagesOf(attacker.Received)}",
            $"victim {TraceText.MessagesOf(victim.Received)}",
            $"bystander {TraceText.MessagesOf(other.Received)}",
        ];
    }

    private static async Task<bool> TryFenceAsync(SystemClient client)
    {
        var before = client.Received.Split("PONG\r\n").Length;
        await client.SendAsync("PING\r\n");
        return await client.UntilAsync(text => text.Split("PONG\r\n").Length > before);
    }
}
