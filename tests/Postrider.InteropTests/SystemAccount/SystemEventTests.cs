using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.SystemAccount;

/// <summary>What the system account is told without being asked, and what its users may do to others, beside Go's server.</summary>
public sealed class SystemEventTests(SystemServers servers) : IClassFixture<SystemServers>
{
    private static int _names;

    // The subject of an event, with ID for the server's id, and what happens before it.
    public static TheoryData<string, string> Events => new()
    {
        { "$SYS.ACCOUNT.A.CONNECT", "connect" },
        { "$SYS.ACCOUNT.A.DISCONNECT", "disconnect" },
        { "$SYS.ACCOUNT.A.SERVER.CONNS", "connect" },
        { "$SYS.SERVER.ACCOUNT.A.CONNS", "connect" },
        { "$SYS.ACCOUNT.A.SERVER.CONNS", "disconnect" },
        { "$SYS.SERVER.ID.CLIENT.AUTH.ERR", "wrong password" },
        { "$SYS.ACCOUNT.$G.DISCONNECT", "wrong password" },
        { "$SYS.ACCOUNT.A.DISCONNECT", "kick" },
        { "$SYS.SERVER.ID.STATSZ", "ask all" },
        { "$SYS.SERVER.ID.STATSZ", "wait" },
    };

    [Theory]
    [MemberData(nameof(Events))]
    public async Task Event_has_the_names_and_kinds_of_values_of_Gos(string subject, string cause)
    {
        var go = await WatchAsync(ServerKind.Go, subject, cause);
        var own = await WatchAsync(ServerKind.Postrider, subject, cause);

        Assert.Equal(SystemServers.ShapeOf(go), SystemServers.ShapeOf(own));
    }

    [Theory]
    [InlineData("$SYS.ACCOUNT.A.CONNECT", "connect", "type client.host client.acc client.user client.lang client.ver client.name_tag client.kind client.client_type")]
    [InlineData("$SYS.ACCOUNT.A.DISCONNECT", "kick", "type client.acc client.user sent received reason")]
    [InlineData("$SYS.ACCOUNT.A.DISCONNECT", "traffic and kick", "sent received reason")]
    [InlineData("$SYS.SERVER.ID.CLIENT.AUTH.ERR", "wrong password", "type client.acc client.user client.name_tag sent received reason")]
    [InlineData("$SYS.ACCOUNT.A.SERVER.CONNS", "connect", "type acc name leafnodes slow_consumers")]
    public async Task Event_has_the_values_of_Gos(string subject, string cause, string names)
    {
        var go = JsonDocument.Parse(await WatchAsync(ServerKind.Go, subject, cause)).RootElement;
        var own = JsonDocument.Parse(await WatchAsync(ServerKind.Postrider, subject, cause)).RootElement;

        Assert.All(names.Split(' '), name => Assert.Equal($"{name} {JsonShape.ValueOf(go, name)}", $"{name} {JsonShape.ValueOf(own, name)}"));
    }

    [Fact]
    public async Task Account_without_credentials_hears_of_refused_clients()
    {
        var shapes = new Dictionary<ServerKind, IEnumerable<string>>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            var file = ServerProcess.WriteConfiguration("authorization { users: [{user: ann, password: p}] }\n");
            await using var server = await ServerProcess.StartAsync(kind, "-c", file);
            await using var ann = await SystemClient.ConnectAsync(server.Port, "ann");
            await ann.SubscribeAsync("$SYS.ACCOUNT.CLIENT.AUTH.ERR");
            await using var wrong = await SystemClient.ConnectAsync(server.Port, "ann", "intruder", "wrong");

            var (_, _, _, payload) = await ann.NextAsync(static _ => true);

            shapes[kind] = [.. SystemServers.ShapeOf(payload), JsonShape.ValueOf(JsonDocument.Parse(payload).RootElement, "client.name"), JsonShape.ValueOf(JsonDocument.Parse(payload).RootElement, "reason")];
        }

        Assert.Equal(shapes[ServerKind.Go], shapes[ServerKind.Postrider]);
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Kicked_client_is_disconnected(ServerKind kind)
    {
        var port = servers[kind].Port;
        await using var admin = await SystemClient.ConnectAsync(port, "sys");
        await using var client = await SystemClient.ConnectAsync(port, "a");

        var answer = JsonDocument.Parse(await admin.AskAsync($"$SYS.REQ.SERVER.{admin.ServerId}.KICK", Cid(client))).RootElement;

        Assert.Equal(["server"], answer.EnumerateObject().Select(static member => member.Name));
        Assert.False(await client.UntilAsync(static _ => false));
        Assert.DoesNotContain("-ERR", client.Received, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Client_can_be_asked_to_leave(ServerKind kind)
    {
        var port = servers[kind].Port;
        await using var admin = await SystemClient.ConnectAsync(port, "sys");
        await using var client = await SystemClient.ConnectAsync(port, "a");
        await client.FenceAsync();

        await admin.AskAsync($"$SYS.REQ.SERVER.{admin.ServerId}.LDM", Cid(client));

        Assert.True(await client.UntilAsync(static text => text.Contains("\"ldm\":true", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Configuration_is_reloaded_on_request(ServerKind kind)
    {
        var file = ServerProcess.WriteConfiguration(SystemServers.Accounts);
        await using var server = await ServerProcess.StartAsync(kind, "-c", file);
        await using var admin = await SystemClient.ConnectAsync(server.Port, "sys");
        var subject = $"$SYS.REQ.SERVER.{admin.ServerId}.RELOAD";

        await File.WriteAllTextAsync(file, SystemServers.Accounts + "max_connections: 77\n");
        var done = JsonDocument.Parse(await admin.AskAsync(subject)).RootElement;
        var varz = JsonDocument.Parse(await admin.AskAsync("$SYS.REQ.SERVER.PING.VARZ")).RootElement;
        await File.WriteAllTextAsync(file, "max_connections: nonsense\n");
        var refused = JsonDocument.Parse(await admin.AskAsync(subject)).RootElement;

        Assert.Equal(["server"], done.EnumerateObject().Select(static member => member.Name));
        Assert.Equal("77", JsonShape.ValueOf(varz, "data.max_connections"));
        Assert.Equal("500", JsonShape.ValueOf(refused, "error.code"));
    }

    [Theory]
    [InlineData("-USR2", "LAMEDUCK")]
    [InlineData("-TERM", "SHUTDOWN")]
    public async Task Server_says_that_it_leaves(string signal, string last)
    {
        var shapes = new Dictionary<ServerKind, string>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(SystemServers.Accounts));
            await using var admin = await SystemClient.ConnectAsync(server.Port, "sys");
            await admin.SubscribeAsync("$SYS.SERVER.*.LAMEDUCK", "$SYS.SERVER.*.SHUTDOWN");

            await SignalAsync(server, signal);
            var (subject, _, _, payload) = await admin.NextAsync(static _ => true);

            shapes[kind] = string.Join('\n', [subject.Replace(admin.ServerId, "ID", StringComparison.Ordinal), .. SystemServers.ShapeOf(payload)]);
        }

        Assert.StartsWith($"$SYS.SERVER.ID.{last}\n", shapes[ServerKind.Go], StringComparison.Ordinal);
        Assert.Equal(shapes[ServerKind.Go], shapes[ServerKind.Postrider]);
    }

    private async Task<string> WatchAsync(ServerKind kind, string subject, string cause)
    {
        var port = servers[kind].Port;
        await using var watcher = await SystemClient.ConnectAsync(port, "sys");
        var wanted = subject.Replace("ID.", watcher.ServerId + ".", StringComparison.Ordinal);
        var name = string.Create(CultureInfo.InvariantCulture, $"client-{Interlocked.Increment(ref _names)}");
        if (cause is "disconnect" or "kick" or "traffic and kick")
        {
            await using var client = await SystemClient.ConnectAsync(port, "a", name);
            if (cause == "traffic and kick") await client.PublishAsync("nobody.there", "hello");
            await client.FenceAsync();
            await watcher.SubscribeAsync(wanted);
            if (cause != "disconnect") await watcher.AskAsync($"$SYS.REQ.SERVER.{watcher.ServerId}.KICK", Cid(client));
        }
        else
        {
            await watcher.SubscribeAsync(wanted);
            if (cause == "ask all") await watcher.PublishAsync("$SYS.REQ.SERVER.PING.STATSZ");
        }

        await using var later = cause is "connect" or "wrong password" ? await SystemClient.ConnectAsync(port, "a", name, cause == "connect" ? "p" : "wrong") : null;
        // Other events of that subject come from clients of tests before.
        var isOfClient = subject.EndsWith("CONNECT", StringComparison.Ordinal) || subject.EndsWith("ERR", StringComparison.Ordinal);
        var message = await watcher.NextAsync(message => message.Subject == wanted && (!isOfClient || message.Payload.Contains($"\"{name}\"", StringComparison.Ordinal)));
        return message.Payload;
    }

    private static string Cid(SystemClient client) => string.Create(CultureInfo.InvariantCulture, $"{{\"cid\":{client.Id}}}");

    private static async Task SignalAsync(ServerProcess server, string signal)
    {
        using var kill = Process.Start("kill", [signal, server.ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }
}
