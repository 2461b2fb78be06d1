using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>How many consumers a stream may have: both servers refuse the same one in the same words.</summary>
public sealed class ConsumerCountTests
{
    /// <summary>Settings: in the block <c>jetstream</c>, of the account, of the stream; and how many consumers may be made.</summary>
    public static TheoryData<string, string, string, int> Settings => new()
    {
        { "", "", "", 1000 },
        { "", "", "\"max_consumers\":-1", 1000 },
        { "", "", "\"max_consumers\":3", 3 },
        { "limits { default_max_consumers: 5 }", "", "", 5 },
        { "limits { default_max_consumers: 5 }", "", "\"max_consumers\":7", 7 },
        { "", "max_consumers: 4", "", 4 },
        { "", "max_consumers: 4", "\"max_consumers\":2", 2 },
        { "limits { default_max_consumers: 2 }", "max_consumers: 4", "", 4 },
    };

    [Theory]
    [MemberData(nameof(Settings))]
    public async Task Both_servers_refuse_the_same_consumer(string block, string account, string stream, int allowed)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var go = await ServerProcess.StartAsync(ServerKind.Go, "-c", Configuration(ServerKind.Go, Path.Combine(folder.FullName, "go"), block, account));
            await using var ours = await ServerProcess.StartAsync(ServerKind.Postrider, "-c", Configuration(ServerKind.Postrider, Path.Combine(folder.FullName, "ours"), block, account));
            await using var pair = new ReplayPair(await NatsClient.ConnectAsync(go.Url), await NatsClient.ConnectAsync(ours.Url));
            var members = stream.Length == 0 ? "" : $",{stream}";
            await pair.CompareAsync("create", "$JS.API.STREAM.CREATE.S", $$"""{"name":"S","subjects":["s"],"storage":"memory"{{members}}}""");

            for (var i = 1; i < allowed; i++) await ConsumeAsync(pair, $"C{i}", "\"mem_storage\":true");
            await ConsumeAsync(pair, "EPHEMERAL", "\"mem_storage\":true,\"inactive_threshold\":600000000000", "name");
            await ConsumeAsync(pair, "TOO_MANY", "\"mem_storage\":true");
            await ConsumeAsync(pair, "TOO_MANY", "\"mem_storage\":true", "name");
            await ConsumeAsync(pair, "EPHEMERAL", "\"mem_storage\":true,\"inactive_threshold\":600000000000", "name");
            Assert.Equal(allowed, await CountAsync(go.Url));
            Assert.Equal(allowed, await CountAsync(ours.Url));

            await pair.CompareAsync("delete", "$JS.API.CONSUMER.DELETE.S.EPHEMERAL");
            await ConsumeAsync(pair, "LAST", "\"mem_storage\":true");
            await ConsumeAsync(pair, "TOO_MANY", "\"mem_storage\":true");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    // nats-server does not take limits of the global account; ours has no other one.
    private static string Configuration(ServerKind kind, string store, string block, string limits)
    {
        var account = limits.Length == 0 ? ""
            : kind == ServerKind.Go ? $"accounts {{ A {{ users: [ {{user: a, password: a}} ], jetstream {{ {limits} }} }} }}\nno_auth_user: a"
            : $"accounts {{ $G {{ jetstream {{ {limits} }} }} }}";
        return ServerProcess.WriteConfiguration($"jetstream {{\n store_dir: \"{store}\"\n {block}\n}}\n{account}\n");
    }

    private static Task ConsumeAsync(ReplayPair pair, string name, string members, string kind = "durable_name")
        => pair.CompareAsync($"consume {name}", $"$JS.API.CONSUMER.CREATE.S.{name}", $$$"""{"stream_name":"S","config":{"{{{kind}}}":"{{{name}}}","ack_policy":"explicit",{{{members}}}}}""");

    private static async Task<int> CountAsync(string url)
    {
        await using var client = await NatsClient.ConnectAsync(url);
        var answer = await client.RequestAsync<string, string>("$JS.API.STREAM.INFO.S", "");
        return int.Parse(System.Text.Json.Nodes.JsonNode.Parse(answer.Data)!["state"]!["consumer_count"]!.ToJsonString(), CultureInfo.InvariantCulture);
    }
}
