using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace Postrider.SystemTests.CommandLine;

/// <summary>What one client asks for neither keeps the program from serving the others nor from ending.</summary>
public sealed class HostileClientTests
{
    // A container is killed ten seconds after it was asked to end.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task Purges_beyond_the_last_sequence_leave_the_api_answering()
    {
        using var server = Start();
        using var client = await ConnectAsync(server);
        await client.CallAsync("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"]}""");
        await client.RequestAsync("s.1", "x");

        await client.CallAsync("STREAM.PURGE.S", """{"seq":18446744073709551615}""");
        var purged = await client.CallAsync("STREAM.PURGE.S", """{"filter":"s.1"}""");

        Assert.Equal(0, purged.GetProperty("purged").GetInt32());
        await client.CallAsync("STREAM.CREATE.T", """{"name":"T","subjects":["t"]}""");
        await AssertEndsAsync(server);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Messages_that_go_round_leave_every_connection_served(int streams)
    {
        using var server = Start();
        using var client = await ConnectAsync(server);
        await MakeCircleAsync(client, streams);
        var others = new List<Wire>();
        for (var i = 0; i < 6; i++) others.Add(await ConnectAsync(server));

        await client.SendAsync("PUB r0.x 1\r\nx\r\n");
        var before = await client.CallAsync("STREAM.INFO.R0", "");
        for (var round = 0; round < 20; round++)
        {
            foreach (var other in others) await other.PingAsync();
        }

        using var late = await ConnectAsync(server);
        await late.PingAsync();
        Assert.True(LastSequence(await client.CallAsync("STREAM.INFO.R0", "")) > LastSequence(before));
        await AssertEndsAsync(server);
        foreach (var other in others) other.Dispose();
    }

    [Theory]
    [InlineData("purge")]
    [InlineData("copy")]
    [InlineData("blocked consumer")]
    [InlineData("circle")]
    public async Task Sigterm_ends_the_program_whatever_is_under_way(string what)
    {
        using var server = Start();
        using var client = await ConnectAsync(server);
        using var deaf = await ConnectAsync(server);
        await client.CallAsync("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"],"storage":"memory"}""");
        await FillAsync(client, what == "blocked consumer" ? 300 : 200_000, what == "blocked consumer" ? 100_000 : 1);

        switch (what)
        {
            case "purge":
                await client.PostAsync("$JS.API.STREAM.PURGE.S", """{"filter":"s.1"}""");
                break;
            case "copy":
                await client.PostAsync("$JS.API.STREAM.CREATE.T", """{"name":"T","storage":"memory","sources":[{"name":"S"}]}""");
                break;
            case "blocked consumer":
                await deaf.SendAsync("SUB to.me 7\r\n");
                await deaf.PingAsync();
                await client.CallAsync("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"C","ack_policy":"none","deliver_subject":"to.me"}}""");
                break;
            default:
                await MakeCircleAsync(client, 2);
                await client.SendAsync("PUB r0.x 1\r\nx\r\n");
                break;
        }
        await client.PingAsync();

        await AssertEndsAsync(server);
    }

    private static async Task AssertEndsAsync(ServerProcess server)
    {
        var watch = Stopwatch.StartNew();
        await server.SignalAsync("TERM");

        Assert.Equal(0, await server.ExitAsync());
        Assert.True(watch.Elapsed < Grace, $"It ended after {watch.Elapsed}.");
    }

    private static async Task MakeCircleAsync(Wire client, int streams)
    {
        for (var i = 0; i < streams; i++)
            await client.CallAsync($"STREAM.CREATE.R{i}", $$"""{"name":"R{{i}}","subjects":["r{{i}}.>"],"storage":"memory","max_msgs":1000}""");
        for (var i = 0; i < streams; i++)
        {
            await client.CallAsync(
                $"CONSUMER.CREATE.R{i}.C",
                $$$"""{"stream_name":"R{{{i}}}","config":{"durable_name":"C","ack_policy":"none","deliver_subject":"r{{{(i + 1) % streams}}}.x"}}""");
        }
    }

    private static async Task FillAsync(Wire client, int messages, int bytes)
    {
        var payload = new string('x', bytes);
        var text = new StringBuilder();
        for (var i = 0; i < messages; i++)
        {
            text.Append($"PUB s.{i % 5} {bytes}\r\n{payload}\r\n");
            if (text.Length < 1024 * 1024 && i < messages - 1) continue;
            await client.SendAsync(text.ToString());
            text.Clear();
        }
        await client.PingAsync();
    }

    private static long LastSequence(JsonElement info) => info.GetProperty("state").GetProperty("last_seq").GetInt64();

    private static ServerProcess Start()
    {
        var folder = ServerProcess.NewFolder();
        File.WriteAllText(Path.Join(folder, "server.conf"), """
            port: -1
            host: "127.0.0.1"
            ports_file_dir: "."
            jetstream { store_dir: "store" }
            """);
        return ServerProcess.Start("nats-server", folder, "-c", "server.conf");
    }

    private static async Task<Wire> ConnectAsync(ServerProcess server)
    {
        var ports = await server.PortsAsync("nats-server");
        var client = new Wire();
        await client.OpenAsync(new Uri(ports.GetProperty("nats")[0].GetString()!));
        return client;
    }

    // The protocol by hand: what is tested is what bytes do.
    private sealed class Wire : IDisposable
    {
        private readonly TcpClient _client = new() { NoDelay = true };
        private StreamReader? _reader;
        private int _requests;

        public async Task OpenAsync(Uri server)
        {
            await _client.ConnectAsync(server.Host, server.Port);
            _reader = new StreamReader(_client.GetStream(), Encoding.Latin1);
            await ReadLineAsync();
            await SendAsync("CONNECT {\"verbose\":false}\r\nSUB _INBOX.* 1\r\n");
            await PingAsync();
        }

        public async Task SendAsync(string text)
        {
            using var patience = new CancellationTokenSource(ServerProcess.Patience);
            await _client.GetStream().WriteAsync(Encoding.Latin1.GetBytes(text), patience.Token);
        }

        public async Task PingAsync()
        {
            await SendAsync("PING\r\n");
            while (await ReadLineAsync() != "PONG")
            {
                // What was delivered before is not looked at.
            }
        }

        public async Task PostAsync(string subject, string payload) => await SendAsync($"PUB {subject} {payload.Length}\r\n{payload}\r\n");

        public async Task<string> RequestAsync(string subject, string payload)
        {
            var replyTo = $"_INBOX.{++_requests}";
            await SendAsync($"PUB {subject} {replyTo} {payload.Length}\r\n{payload}\r\n");
            while (!(await ReadLineAsync()).StartsWith($"MSG {replyTo} ", StringComparison.Ordinal))
            {
                // An answer to an earlier request.
            }
            return await ReadLineAsync();
        }

        public async Task<JsonElement> CallAsync(string operation, string payload)
        {
            using var answer = JsonDocument.Parse(await RequestAsync("$JS.API." + operation, payload));
            Assert.False(answer.RootElement.TryGetProperty("error", out var error), error.ToString());
            return answer.RootElement.Clone();
        }

        public void Dispose()
        {
            _reader?.Dispose();
            _client.Dispose();
        }

        private async Task<string> ReadLineAsync()
        {
            using var patience = new CancellationTokenSource(ServerProcess.Patience);
            return await _reader!.ReadLineAsync(patience.Token) ?? throw new EndOfStreamException("The server closed the connection.");
        }
    }
}
