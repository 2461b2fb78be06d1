using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>Accounts in the configuration file that change with a reload, and what their limits of streams are.</summary>
public sealed class OperatorReloadTests
{
    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task User_who_is_revoked_in_the_file_is_disconnected(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "MEMORY");
        await using var user = await server.ConnectUserAsync();
        await user.SayAsync();

        var revoked = new Dictionary<string, DateTimeOffset>(StringComparer.Ordinal) { ["*"] = DateTimeOffset.UtcNow.AddSeconds(5) };
        await server.ReloadAsync(server.Sign(server.Account with { Revocations = revoked }));

        Assert.Equal("-ERR 'User Authentication Revoked'\n", await user.ToEndAsync());
        Assert.Equal("-ERR 'Authorization Violation'\n(closed)", await ClaimsStories.TryAsync(server));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Users_of_an_account_that_is_gone_from_the_file_are_disconnected(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "MEMORY");
        await using var user = await server.ConnectUserAsync();
        await user.SayAsync();

        await server.ReloadAsync();

        Assert.Equal("-ERR 'Authorization Violation'\n", await user.ToEndAsync());
        Assert.Equal("-ERR 'Authorization Violation'\n(closed)", await ClaimsStories.TryAsync(server));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Account_that_comes_with_a_reload_lets_its_users_in_and_others_stay(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "MEMORY");
        await using var user = await server.ConnectUserAsync();
        await user.SayAsync("SUB a 1");
        var token = new UserClaims { Subject = server.Keys.OtherUser.PublicKey }.Encode(server.Keys.OtherAccount);

        await server.ReloadAsync(server.Sign(server.Account), server.Sign(new AccountClaims { Subject = server.Keys.OtherAccount.PublicKey }));

        await Eventually.HoldsAsync(async () =>
        {
            await using var other = await TokenClient.ConnectAsync(server.Server.Port, token, server.Keys.OtherUser);
            return await other.SayAsync() == "";
        });
        Assert.Equal("MSG a 1 1\nx\n", await user.SayAsync("PUB a 1", "x"));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Account_without_limits_of_streams_has_none(ServerKind kind)
    {
        await using var server = await ClaimsServer.StartAsync(kind, "MEMORY", streams: true);
        await using var user = await server.ConnectUserAsync();

        var answer = JsonDocument.Parse(await user.AskAsync("$JS.API.INFO", "")).RootElement;

        Assert.Equal(10039, answer.GetProperty("error").GetProperty("err_code").GetInt32());
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Limits_of_streams_are_those_of_the_token(ServerKind kind)
    {
        var limits = new JetStreamClaimLimits { DiskBytes = 2048, MemoryBytes = 1024, MaxStreams = 1, MaxConsumers = 5, MaxBytesRequired = true };
        await using var server = await ClaimsServer.StartAsync(kind, "MEMORY", (account, _) => account with { Limits = account.Limits with { JetStream = limits } }, streams: true);
        await using var user = await server.ConnectUserAsync();

        var info = JsonDocument.Parse(await user.AskAsync("$JS.API.INFO", "")).RootElement.GetProperty("limits");
        var larger = await CreateAsync(user, "A", 4096);
        var first = await CreateAsync(user, "A", 1024);
        var second = await CreateAsync(user, "B", 512);

        Assert.Equal((1024, 2048, 1, 5, true), (Number("max_memory"), Number("max_storage"), Number("max_streams"), Number("max_consumers"), info.GetProperty("max_bytes_required").GetBoolean()));
        Assert.Equal((10047, 0, 10027), (larger, first, second));

        int Number(string name) => info.GetProperty(name).GetInt32();
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Limits_of_the_tier_with_one_replica_hold(ServerKind kind)
    {
        var tiers = new Dictionary<string, JetStreamClaimLimits>(StringComparer.Ordinal) { ["R1"] = new() { DiskBytes = 2048, MaxStreams = 1 } };
        await using var server = await ClaimsServer.StartAsync(kind, "MEMORY", (account, _) => account with { Limits = account.Limits with { JetStreamTiers = tiers } }, streams: true);
        await using var user = await server.ConnectUserAsync();

        Assert.Equal((10047, 0, 10027), (await CreateAsync(user, "A", 4096), await CreateAsync(user, "A", 1024), await CreateAsync(user, "B", 512)));
        using var info = JsonDocument.Parse(await user.AskAsync("$JS.API.INFO", ""));
        var tier = info.RootElement.GetProperty("tiers").GetProperty("R1");
        Assert.Equal((1, 0), (info.RootElement.GetProperty("streams").GetInt32(), info.RootElement.GetProperty("limits").GetProperty("max_storage").GetInt64()));
        Assert.Equal((1, 2048, 1024), (tier.GetProperty("streams").GetInt32(), tier.GetProperty("limits").GetProperty("max_storage").GetInt64(), tier.GetProperty("reserved_storage").GetInt64()));
    }

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Streams_of_an_account_are_there_after_a_restart(ServerKind kind)
    {
        var limits = new JetStreamClaimLimits { DiskBytes = null };
        await using var server = await ClaimsServer.StartAsync(kind, ClaimsStories.Full, (account, _) => account with { Limits = account.Limits with { JetStream = limits } }, streams: true);
        await using (var user = await server.ConnectUserAsync())
        {
            await CreateAsync(user, "A", -1);
            await user.AskAsync("A", "kept");
        }

        await server.Server.EndAsync();
        await server.Server.RestartAsync();

        await using var again = await server.ConnectUserAsync();
        var state = JsonDocument.Parse(await again.AskAsync("$JS.API.STREAM.INFO.A", "")).RootElement.GetProperty("state");
        Assert.Equal(1, state.GetProperty("messages").GetInt32());
    }

    // The error of the answer, or 0.
    private static async Task<int> CreateAsync(TokenClient user, string name, int maxBytes)
    {
        var answer = await user.AskAsync($"$JS.API.STREAM.CREATE.{name}", $$"""{"name":"{{name}}","subjects":["{{name}}"],"storage":"file","num_replicas":1,"max_bytes":{{maxBytes}}}""");
        return JsonDocument.Parse(answer).RootElement.TryGetProperty("error", out var error) ? error.GetProperty("err_code").GetInt32() : 0;
    }
}
