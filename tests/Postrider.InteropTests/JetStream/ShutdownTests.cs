using System.Diagnostics;
using System.Globalization;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>What JetStream's clients see of a server that ends or is killed: the same of both servers.</summary>
public sealed class ShutdownTests
{
    private const int Streams = 61;
    private const string Hello = "CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true}\r\n";

    [Theory]
    [InlineData("TERM")]
    [InlineData("INT")]
    public async Task Waiting_pulls_are_told_of_the_end_of_the_server(string signal)
    {
        var expected = await PullUntilEndAsync(ServerKind.Go, signal);

        Assert.Equal(
            ["NATS/1.0 409 Server Shutdown|Nats-Pending-Messages: 3|Nats-Pending-Bytes: 1000", "NATS/1.0 409 Server Shutdown|Nats-Pending-Messages: 5|Nats-Pending-Bytes: 0"],
            expected);
        Assert.Equal(expected, await PullUntilEndAsync(ServerKind.Postrider, signal));
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Push_consumer_delivers_to_who_subscribes_at_once_after_a_kill(ServerKind kind)
    {
        var store = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var server = await ServerProcess.StartAsync(kind, "-js", "-sd", store.FullName);
            await using (var before = await RawConnection.OpenAsync(server.Port))
            {
                await before.SendAsync(Hello + "SUB _I.> 1\r\nSUB dlv.1 7\r\n");
                for (var i = 0; i < Streams; i++) await AskAsync(before, $"STREAM.CREATE.S{i}", $$"""{"name":"S{{i}}","subjects":["s{{i}}.>"]}""");
                await AskAsync(before, "CONSUMER.CREATE.S60.D", """{"stream_name":"S60","config":{"durable_name":"D","deliver_subject":"dlv.1","ack_policy":"explicit"}}""");
                for (var i = 1; i <= 3; i++)
                {
                    await before.SendAsync(Publish("s60.a", $"{i}"));
                    Assert.True(await before.UntilAsync(text => Deliveries(text).Count == i), before.Received);
                    await before.SendAsync($"PUB {Deliveries(before.Received)[^1].Reply} _I.ack 0\r\n\r\n");
                    Assert.True(await before.UntilAsync(text => Count(text, "MSG _I.ack ") == i), before.Received);
                }
            }

            await server.KillAsync();
            await server.RestartAsync();
            await using var after = await RawConnection.OpenAsync(server.Port);
            await after.SendAsync(Hello + "SUB dlv.1 7\r\n" + Publish("s60.a", "4") + Publish("s60.a", "5") + Publish("s60.a", "6"));

            // nats-server may have forgotten acknowledgements and delivers these messages again.
            Assert.True(await after.UntilAsync(static text => NewOnes(text).Contains("6")), after.Received);
            Assert.Equal(["4", "5", "6"], NewOnes(after.Received));
            if (kind == ServerKind.Postrider) Assert.Equal(3, Deliveries(after.Received).Count);
        }
        finally
        {
            store.Delete(recursive: true);
        }
    }

    private static async Task<List<string>> PullUntilEndAsync(ServerKind kind, string signal)
    {
        var store = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var server = await ServerProcess.StartAsync(kind, "-js", "-sd", store.FullName);
            await using var client = await RawConnection.OpenAsync(server.Port);
            await client.SendAsync(Hello + "SUB _I.> 1\r\nSUB pull.> 2\r\n");
            await AskAsync(client, "STREAM.CREATE.S", """{"name":"S","subjects":["s"]}""");
            await AskAsync(client, "CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"}}""");
            await client.SendAsync(Pull("pull.1", """{"batch":5,"expires":60000000000}""") + Pull("pull.2", """{"batch":3,"expires":60000000000,"max_bytes":1000}"""));
            await client.FenceAsync();

            using (var kill = Process.Start("kill", [$"-{signal}", server.ProcessId.ToString(CultureInfo.InvariantCulture)])) await kill.WaitForExitAsync();
            await client.UntilAsync(static _ => false);

            // nats-server keeps to no order of its requests here.
            return [.. client.Received.Split("HMSG pull.").Skip(1)
                .Select(static text => string.Join('|', text[(text.IndexOf("\r\n", StringComparison.Ordinal) + 2)..].Split("\r\n\r\n")[0].Split("\r\n")))
                .Order(StringComparer.Ordinal)];
        }
        finally
        {
            store.Delete(recursive: true);
        }
    }

    private static string Publish(string subject, string payload) => $"PUB {subject} {payload.Length}\r\n{payload}\r\n";

    private static string Pull(string inbox, string request) => $"PUB $JS.API.CONSUMER.MSG.NEXT.S.C {inbox} {request.Length}\r\n{request}\r\n";

    private static async Task AskAsync(RawConnection connection, string operation, string request)
    {
        var answers = Count(connection.Received, "MSG _I.api ");
        await connection.SendAsync($"PUB $JS.API.{operation} _I.api {request.Length}\r\n{request}\r\n");
        Assert.True(await connection.UntilAsync(text => Count(text, "MSG _I.api ") > answers && text[text.LastIndexOf("MSG _I.api ", StringComparison.Ordinal)..].Contains("}\r\n", StringComparison.Ordinal)), connection.Received);
        Assert.DoesNotContain("\"error\"", connection.Received, StringComparison.Ordinal);
    }

    private static int Count(string text, string word) => text.Split(word).Length - 1;

    private static List<string> NewOnes(string text) => [.. Deliveries(text).Select(static delivery => delivery.Payload).Where(static payload => string.CompareOrdinal(payload, "3") > 0)];

    private static List<(string Reply, string Payload)> Deliveries(string text)
        => [.. text.Split("MSG s60.a 7 ").Skip(1).Select(static delivery => delivery.Split("\r\n")).Where(static lines => lines.Length > 2).Select(static lines => (lines[0].Split(' ')[0], lines[1]))];
}
