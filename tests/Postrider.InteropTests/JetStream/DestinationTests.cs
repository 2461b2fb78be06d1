using System.Text.Json.Nodes;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>Where JetStream sends for a user who may ask it to and may not publish there: the same on both servers.</summary>
public sealed class DestinationTests
{
    private const string Users = """
        authorization {
          users: [
            { user: asker, password: a, permissions: { publish: { allow: ["$JS.API.>", "s.>"], deny: ["closed.>"] }, subscribe: ["_INBOX.>"] } }
            { user: owner, password: o }
          ]
        }
        """;

    private static readonly string[] Destinations =
        ["closed.push", "s.back", "$SYS.push", "$JS.push", "$JS.API.INFO", "$JS.API.STREAM.DELETE.S", "$JS.ACK.S.C.1.1.1.1.1", "$JS.EVENT.x", "_INBOX.x", "a..b", "a.*", ">", "closed.$1",
         "closed.more.>", "s.>", "$SYS.>", "$JS.>", "$JS.API.>", "other.>"];

    [Fact]
    public async Task Destinations_are_taken_and_served_alike()
    {
        var expected = await ObserveAsync(ServerKind.Go);

        Assert.Contains("-ERR 'Permissions Violation for Publish to \"closed.direct\"'", expected);
        Assert.Single(expected, static line => line.StartsWith("closed.again.s.1 3", StringComparison.Ordinal));
        Assert.Single(expected, static line => line.StartsWith("s.1 1 $JS.ACK.S.PUSH.", StringComparison.Ordinal));
        Assert.Single(expected, static line => line.StartsWith("s.1 2 $JS.ACK.S.PULL.", StringComparison.Ordinal));
        Assert.Equal(expected, await ObserveAsync(ServerKind.Postrider));
    }

    private static async Task<List<string>> ObserveAsync(ServerKind kind)
    {
        var store = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration($"jetstream {{ store_dir: \"{store.FullName}\" }}\n{Users}\n"));
            await using var owner = await OpenAsync(server, "owner", "o", "SUB closed.push 1\r\nSUB closed.pull 2\r\nSUB closed.again.> 3\r\nSUB closed.direct 4\r\n");
            await using var asker = await OpenAsync(server, "asker", "a", "SUB _INBOX.> 1\r\n");
            var seen = new List<string>();

            foreach (var to in Destinations) seen.Add($"republish {to}: {await AskAsync(asker, "STREAM.CREATE.R", $$$"""{"name":"R","subjects":["s.r"],"republish":{"src":">","dest":"{{{to}}}"}}""", delete: "STREAM.DELETE.R")}");
            seen.Add(await AskAsync(asker, "STREAM.CREATE.S", """{"name":"S","subjects":["s.1"],"republish":{"src":">","dest":"closed.again.>"}}"""));
            foreach (var to in Destinations) seen.Add($"push {to}: {await AskAsync(asker, "CONSUMER.CREATE.S.D", $$$"""{"stream_name":"S","config":{"durable_name":"D","deliver_subject":"{{{to}}}"}}""", delete: "CONSUMER.DELETE.S.D")}");
            seen.Add(await AskAsync(asker, "CONSUMER.CREATE.S.PUSH", """{"stream_name":"S","config":{"durable_name":"PUSH","deliver_subject":"closed.push"}}"""));
            seen.Add(await AskAsync(asker, "CONSUMER.CREATE.S.PULL", """{"stream_name":"S","config":{"durable_name":"PULL","ack_policy":"explicit"}}"""));

            await asker.SendAsync("PUB $JS.API.CONSUMER.MSG.NEXT.S.PULL closed.pull 1\r\n1\r\nPUB closed.direct 1\r\nx\r\nPUB s.1 1\r\nx\r\n");
            seen.AddRange((await asker.FenceAsync()).Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Where(static line => line != "PING"));
            var arrived = new List<string>();
            while (arrived.Count < 3)
            {
                await owner.UntilAsync(static text => text.Contains("\r\nx\r\n", StringComparison.Ordinal));
                arrived.AddRange((await owner.FenceAmidMessagesAsync()).Split("\r\n").Where(static line => line.StartsWith("MSG ", StringComparison.Ordinal) || line.StartsWith("HMSG ", StringComparison.Ordinal)).Select(Shown));
            }

            seen.AddRange(arrived.Order(StringComparer.Ordinal));
            return seen;
        }
        finally
        {
            store.Delete(recursive: true);
        }
    }

    private static async Task<RawConnection> OpenAsync(ServerProcess server, string user, string password, string subscriptions)
    {
        var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendAsync($$"""CONNECT {"verbose":false,"headers":true,"user":"{{user}}","pass":"{{password}}"}""" + "\r\n" + subscriptions);
        await connection.FenceAsync();
        return connection;
    }

    // The error of an answer, or "taken".
    private static async Task<string> AskAsync(RawConnection connection, string operation, string request, string? delete = null)
    {
        await connection.SendAsync($"PUB $JS.API.{operation} _INBOX.api {request.Length}\r\n{request}\r\n");
        Assert.True(await connection.UntilAsync(static text => text.Contains("}\r\n", StringComparison.Ordinal)), connection.Received);
        var answer = await connection.FenceAsync();
        var error = JsonNode.Parse(answer[answer.IndexOf('{', StringComparison.Ordinal)..])!["error"];
        if (delete is not null) await AskAsync(connection, delete, "");
        return error?.ToJsonString() ?? "taken";
    }

    // The line of a message without its moment, and without its bytes where a header holds one.
    private static string Shown(string line)
    {
        var words = line.Split(' ');
        return string.Join(' ', (words[0] == "HMSG" ? words[1..^2] : words[1..]).Select(static word => word.StartsWith("$JS.ACK.", StringComparison.Ordinal) ? string.Join('.', word.Split('.')[..^2]) : word));
    }
}
