using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>What an account may use, from a configuration file: both servers refuse the same in the same words.</summary>
public sealed class AccountLimitTests
{
    private const string Limits =
        "max_mem: 2000, max_file: 4000, max_streams: 4, max_consumers: 2, max_ack_pending: 10, mem_max_stream_bytes: 1500, disk_max_stream_bytes: 3000, max_bytes_required: true";

    private static readonly string Payload = new('p', 400);

    [Fact]
    public async Task Both_servers_hold_an_account_to_its_limits()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var go = await ServerProcess.StartAsync(ServerKind.Go, "-c", Configuration(ServerKind.Go, Path.Combine(folder.FullName, "go")));
            await using var ours = await ServerProcess.StartAsync(ServerKind.Postrider, "-c", Configuration(ServerKind.Postrider, Path.Combine(folder.FullName, "ours")));
            await using var pair = new ReplayPair(await NatsClient.ConnectAsync(go.Url), await NatsClient.ConnectAsync(ours.Url));

            await LiveAsync(pair);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>The configuration of a server whose account may use little.</summary>
    /// <remarks>nats-server does not take limits of the global account; ours has no other one.</remarks>
    internal static string Configuration(ServerKind kind, string store)
    {
        var accounts = kind == ServerKind.Go
            ? $"accounts {{ A {{ users: [ {{user: a, password: a}} ], jetstream {{ {Limits} }} }} }}\nno_auth_user: a"
            : $"accounts {{ $G {{ jetstream {{ {Limits} }} }} }}";
        return ServerProcess.WriteConfiguration($"jetstream {{ store_dir: \"{store}\" }}\n{accounts}\n");
    }

    private static async Task LiveAsync(ReplayPair pair)
    {
        await CreateAsync(pair, "NOSIZE", "file", null);
        await CreateAsync(pair, "F", "file", 3001);
        await CreateAsync(pair, "F", "file", 3000);
        await CreateAsync(pair, "M", "memory", 1501);
        await CreateAsync(pair, "M", "memory", 1500);
        await CreateAsync(pair, "MORE", "memory", 501);
        await CreateAsync(pair, "MORE", "file", 1001);
        await CreateAsync(pair, "N", "memory", 500);
        await CreateAsync(pair, "G", "file", 1000);
        await CreateAsync(pair, "FIFTH", "file", 1);
        for (var consumer = 1; consumer <= 3; consumer++) await ConsumeAsync(pair, $"C{consumer}", 10);
        await pair.CompareAsync("delete", "$JS.API.CONSUMER.DELETE.F.C1");
        await ConsumeAsync(pair, "TOO_MANY_PENDING", 11);
        await ConsumeAsync(pair, "DEFAULT_PENDING", 0);
        await pair.CompareAsync("info", "$JS.API.INFO");
        for (var i = 0; i < 6; i++) await pair.CompareAsync($"publish {i}", "M", Payload);
        await pair.CompareAsync("info", "$JS.API.INFO");
        await pair.CompareAsync("purge", "$JS.API.STREAM.PURGE.M");
        await pair.CompareAsync("info", "$JS.API.INFO");
    }

    private static Task CreateAsync(ReplayPair pair, string name, string storage, int? maxBytes)
        => pair.CompareAsync(
            $"create {name}",
            $"$JS.API.STREAM.CREATE.{name}",
            $$"""{"name":"{{name}}","subjects":["{{name}}"],"storage":"{{storage}}"{{(maxBytes is null ? "" : $",\"max_bytes\":{maxBytes}")}}}""");

    private static Task ConsumeAsync(ReplayPair pair, string name, int pending)
        => pair.CompareAsync(
            $"consume {name}",
            $"$JS.API.CONSUMER.CREATE.F.{name}",
            $$$"""{"stream_name":"F","config":{"durable_name":"{{{name}}}","max_ack_pending":{{{pending}}},"ack_policy":"explicit"}}""");
}
