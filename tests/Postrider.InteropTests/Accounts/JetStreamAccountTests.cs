using System.Globalization;
using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Accounts;

/// <summary>The streams of several accounts, asked of Go's server and of ours.</summary>
public sealed class JetStreamAccountTests : IDisposable
{
    // Times and sizes on the disk are each server's own.
    private static readonly string[] Own = ["created", "ts", "first_ts", "last_ts", "storage", "bytes", "api", "id", "timestamp", "time", "leader"];

    private static readonly (string User, string Subject, string Payload)[] Requests =
    [
        ("a", "$JS.API.INFO", ""),
        ("b", "$JS.API.INFO", ""),
        ("c", "$JS.API.INFO", ""),
        ("s", "$JS.API.INFO", ""),
        ("a", "$JS.API.STREAM.CREATE.ORDERS", """{"name":"ORDERS","subjects":["orders.>"]}"""),
        ("b", "$JS.API.STREAM.NAMES", ""),
        ("b", "$JS.API.STREAM.INFO.ORDERS", ""),
        ("b", "$JS.API.STREAM.CREATE.ORDERS", """{"name":"ORDERS","subjects":["orders.>"],"storage":"memory"}"""),
        ("c", "$JS.API.STREAM.CREATE.ORDERS", """{"name":"ORDERS","subjects":["orders.>"]}"""),
        ("s", "$JS.API.STREAM.CREATE.ORDERS", """{"name":"ORDERS","subjects":["orders.>"]}"""),
        ("a", "orders.1", "one"),
        ("b", "orders.2", "two"),
        ("b", "orders.3", "three"),
        ("c", "orders.4", "four"),
        ("a", "$JS.API.STREAM.MSG.GET.ORDERS", """{"seq":1}"""),
        ("b", "$JS.API.STREAM.MSG.GET.ORDERS", """{"seq":1}"""),
        ("b", "$JS.API.STREAM.MSG.GET.ORDERS", """{"seq":2}"""),
        ("a", "$JS.API.STREAM.MSG.GET.ORDERS", """{"seq":2}"""),
        ("a", "$JS.API.STREAM.CREATE.MORE", """{"name":"MORE","subjects":["more"],"storage":"memory"}"""),
        ("a", "$JS.API.STREAM.CREATE.BIG", """{"name":"BIG","subjects":["big"],"max_bytes":100000}"""),
        ("a", "$JS.API.STREAM.CREATE.THIRD", """{"name":"THIRD","subjects":["third"]}"""),
        ("b", "$JS.API.STREAM.CREATE.BIG", """{"name":"BIG","subjects":["big"],"max_bytes":100000}"""),
        ("a", "$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.c1", """{"stream_name":"ORDERS","config":{"durable_name":"c1","ack_policy":"explicit"}}"""),
        ("a", "$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.c2", """{"stream_name":"ORDERS","config":{"durable_name":"c2","ack_policy":"explicit"}}"""),
        ("a", "$JS.API.CONSUMER.DURABLE.CREATE.MORE.c1", """{"stream_name":"MORE","config":{"durable_name":"c1","ack_policy":"explicit","max_ack_pending":20}}"""),
        ("b", "$JS.API.CONSUMER.NAMES.ORDERS", ""),
        ("b", "$JS.API.CONSUMER.MSG.NEXT.ORDERS.c1", ""),
        ("a", "$JS.API.CONSUMER.INFO.ORDERS.c1", ""),
        ("b", "$JS.API.STREAM.DELETE.MORE", ""),
        ("b", "$JS.API.STREAM.PURGE.ORDERS", ""),
        ("a", "$JS.API.STREAM.INFO.ORDERS", ""),
        ("b", "$JS.API.STREAM.INFO.ORDERS", ""),
        ("a", "$JS.API.STREAM.NAMES", ""),
        ("b", "$JS.API.STREAM.NAMES", ""),
        ("c", "$JS.API.STREAM.NAMES", ""),
        ("c", "$JS.API.STREAM.LIST", ""),
        ("c", "$JS.API.STREAM.INFO.ORDERS", ""),
        ("c", "$JS.API.STREAM.UPDATE.ORDERS", "{}"),
        ("c", "$JS.API.STREAM.DELETE.ORDERS", ""),
        ("c", "$JS.API.STREAM.PURGE.ORDERS", ""),
        ("c", "$JS.API.STREAM.MSG.GET.ORDERS", """{"seq":1}"""),
        ("c", "$JS.API.STREAM.MSG.DELETE.ORDERS", """{"seq":1}"""),
        ("c", "$JS.API.STREAM.SNAPSHOT.ORDERS", "{}"),
        ("c", "$JS.API.STREAM.RESTORE.ORDERS", "{}"),
        ("c", "$JS.API.STREAM.PEER.REMOVE.ORDERS", "{}"),
        ("c", "$JS.API.STREAM.LEADER.STEPDOWN.ORDERS", ""),
        ("c", "$JS.API.CONSUMER.NAMES.ORDERS", ""),
        ("c", "$JS.API.CONSUMER.LIST.ORDERS", ""),
        ("c", "$JS.API.CONSUMER.INFO.ORDERS.c1", ""),
        ("c", "$JS.API.CONSUMER.DELETE.ORDERS.c1", ""),
        ("c", "$JS.API.CONSUMER.CREATE.ORDERS", "{}"),
        ("c", "$JS.API.CONSUMER.CREATE.ORDERS.c1", "{}"),
        ("c", "$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.c1", "{}"),
        ("c", "$JS.API.CONSUMER.PAUSE.ORDERS.c1", "{}"),
        ("c", "$JS.API.CONSUMER.MSG.NEXT.ORDERS.c1", ""),
        ("c", "$JS.API.DIRECT.GET.ORDERS", """{"seq":1}"""),
        ("s", "$JS.API.STREAM.NAMES", ""),
        ("s", "$JS.API.STREAM.INFO.ORDERS", ""),
        ("s", "$JS.API.NONSENSE", ""),
        ("g", "$JS.API.INFO", ""),
        ("g", "$JS.API.STREAM.NAMES", ""),
    ];

    private readonly List<string> _folders = [];

    [Fact]
    public async Task Every_account_has_streams_of_its_own_or_none()
    {
        var expected = await AskAsync(ServerKind.Go);
        var actual = await AskAsync(ServerKind.Postrider);

        Assert.Equal(Requests.Length, expected.Count);
        Assert.Equal(expected, actual);
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Streams_of_an_account_are_kept_in_its_folder_and_come_back(ServerKind kind)
    {
        var folder = NewFolder();
        await using var server = await StartAsync(kind, folder);
        await using (var a = await ConnectAsync(server.Port, "a"))
        {
            await RequestAsync(a, "$JS.API.STREAM.CREATE.ORDERS", """{"name":"ORDERS","subjects":["orders.>"]}""");
            await RequestAsync(a, "orders.1", "one");
        }
        await server.EndAsync();

        await server.RestartAsync();

        Assert.True(Directory.Exists(Path.Combine(folder, "jetstream", "A", "streams", "ORDERS")));
        await using var again = await ConnectAsync(server.Port, "a");
        await using var other = await ConnectAsync(server.Port, "b");
        Assert.Contains(".state.messages=1", await RequestAsync(again, "$JS.API.STREAM.INFO.ORDERS", ""), StringComparison.Ordinal);
        Assert.Contains("10059", await RequestAsync(other, "$JS.API.STREAM.INFO.ORDERS", ""), StringComparison.Ordinal);
    }

    public void Dispose() => _folders.ForEach(static folder => Directory.Delete(folder, recursive: true));

    private static Task<ServerProcess> StartAsync(ServerKind kind, string folder) => ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration($$"""
        jetstream { store_dir: "{{folder}}" }
        accounts {
          A { users [ { user: a, password: p } ], jetstream { max_memory: 1Mb, max_store: 50k, max_streams: 2, max_consumers: 1, max_ack_pending: 10 } }
          B { users [ { user: b, password: p } ], jetstream: enabled }
          C { users [ { user: c, password: p } ] }
          S { users [ { user: s, password: p } ] }
        }
        authorization { users [ { user: g, password: p } ] }
        system_account: S
        """));

    private async Task<List<string>> AskAsync(ServerKind kind)
    {
        await using var server = await StartAsync(kind, NewFolder());
        var clients = new Dictionary<string, RawConnection>(StringComparer.Ordinal);
        var answers = new List<string>();
        foreach (var (user, subject, payload) in Requests)
        {
            if (!clients.TryGetValue(user, out var client)) clients[user] = client = await ConnectAsync(server.Port, user);
            answers.Add($"{user} {subject} {payload}: {await RequestAsync(client, subject, payload)}");
        }
        foreach (var client in clients.Values) await client.DisposeAsync();
        return answers;
    }

    private static async Task<RawConnection> ConnectAsync(int port, string user)
    {
        var client = await RawConnection.OpenAsync(port);
        await client.SendAsync($$"""CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"{{user}}","pass":"p"}""" + "\r\nSUB reply 1\r\n");
        Assert.Equal("", await client.FenceAsync());
        return client;
    }

    private static async Task<string> RequestAsync(RawConnection client, string subject, string payload)
    {
        await client.SendAsync(string.Create(CultureInfo.InvariantCulture, $"PUB {subject} reply {payload.Length}\r\n{payload}\r\n"));
        Assert.True(await client.UntilAsync(static text => IsWhole(text)), $"No answer to {subject}");
        var answer = await client.FenceAsync();
        return answer.StartsWith("MSG", StringComparison.Ordinal) ? Described(answer[(answer.IndexOf("\r\n", StringComparison.Ordinal) + 2)..]) : answer.Split("\r\n")[1];
    }

    private static bool IsWhole(string text)
    {
        var line = text.IndexOf("\r\n", StringComparison.Ordinal);
        return line > 0 && text.Length >= line + 4 + int.Parse(text[..line].Split(' ')[^1], CultureInfo.InvariantCulture);
    }

    private static string Described(string json) => string.Join(' ', Fields(JsonDocument.Parse(json).RootElement, ""));

    private static IEnumerable<string> Fields(JsonElement element, string path) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().Where(static field => !Own.Contains(field.Name)).SelectMany(field => Fields(field.Value, $"{path}.{field.Name}")).Order(StringComparer.Ordinal),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(item => Fields(item, path)).DefaultIfEmpty($"{path}=[]"),
        _ => [$"{path}={element}"],
    };

    private string NewFolder()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-accounts-").FullName;
        _folders.Add(folder);
        return folder;
    }
}
