using System.Diagnostics;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Wrong uses of the commands that inspect, check and measure servers: one sentence, and an exit code that monitoring systems understand.</summary>
public sealed class HostileServerUseTests : IAsyncLifetime
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-servers-");
    private NatsBroker _broker = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(
        new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            SystemAccount = "SYS",
            Accounts =
            [
                new AccountOptions { Name = "SYS", Users = [new UserOptions { Name = "sys", Password = "s" }] },
                new AccountOptions { Name = "A", JetStream = new JetStreamAccountLimits(), Users = [new UserOptions { Name = "a", Password = "a" }] },
            ],
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Join(_folder.FullName, "store") },
        },
        Ct);

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData("'x' is not a duration", "connection", "--rtt-warn", "x")]
    [InlineData("'nope' is not a valid value of --format.", "connection", "--format", "nope")]
    [InlineData("Option '--stream' is required.", "stream")]
    [InlineData("'nope' is not a command of 'postrider server check'.", "nope")]
    [InlineData("'--nope' is not an option of 'postrider server check kv'.", "kv", "--bucket", "b", "--nope")]
    [InlineData("'x' is not a duration", "--timeout", "x")]
    public async Task Check_that_is_not_understood_is_unknown(string sentence, params string[] args)
    {
        var (code, output, errors) = await RunAsync(["server", "check", .. args]);

        Assert.Equal((3, "UNKNOWN: The command line of the check is not valid; standard error has the reason."), (code, output));
        Assert.StartsWith($"postrider: {sentence}", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Connection UNKNOWN Unknown:Context 'nope' does not exist.", "connection", "--context", "nope")]
    [InlineData("Connection UNKNOWN Unknown:There are no credentials for ", "connection", "--creds", "/nonexistent")]
    [InlineData("Connection UNKNOWN Unknown:Server address 'http://x' has the unsupported scheme 'http'.", "connection", "-s", "http://x")]
    [InlineData("UNKNOWN: Context 'nope' does not exist.", "--context", "nope")]
    [InlineData("""{"status":"UNKNOWN","check_suite":"connection","check_name":"Connection","unknown":["Context 'nope' does not exist.""", "connection", "--context", "nope", "--json")]
    public async Task Check_that_fails_on_this_side_is_unknown(string begins, params string[] args)
    {
        var (code, output, errors) = await RunAsync(["server", "check", .. args]);

        Assert.Equal((3, ""), (code, errors));
        Assert.StartsWith(begins, output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Check_that_fails_on_this_side_is_unknown_to_Prometheus()
    {
        var (code, output, errors) = await RunAsync("server", "check", "connection", "--context", "nope", "--format", "prometheus");

        Assert.Equal((0, ""), (code, errors));
        Assert.EndsWith("""nats_server_check_connection_status_code{item="Connection",status="UNKNOWN"} 3""", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--count must be at most 10000000.", "latency", "--count", "2147483647")]
    [InlineData("'http://x' is not the address of a server for --server-b", "latency", "--server-b", "http://x")]
    [InlineData("'' is not the address of a server for --server-b", "latency", "--server-b", "")]
    [InlineData("--publishers must be at most 10000.", "bench", "pub", "--publishers", "2147483647")]
    [InlineData("--subscribers must be at least 1.", "bench", "fan-out", "--subscribers", "0")]
    [InlineData("--in-flight must be at most 1000000.", "bench", "request", "--in-flight", "2147483647")]
    [InlineData("--clients must be at most 10000.", "bench", "js", "pub", "--clients", "2147483647")]
    [InlineData("No process with the id 2147483647 of --server-pid is running.", "bench", "pub", "--server-pid", "2147483647")]
    [InlineData("'a.*' is not a valid subject to publish to", "bench", "pub", "--subject", "a.*")]
    [InlineData("'a b' is not a valid subject:", "bench", "sub", "--subject", "a b")]
    public async Task Size_that_is_absurd_is_refused_before_anything_is_done(string sentence, params string[] args)
    {
        var (code, output, errors) = await RunAsync([.. args, "--user", "a", "--password", "a"]);

        Assert.Equal((1, ""), (code, output));
        Assert.Matches($"^postrider: {System.Text.RegularExpressions.Regex.Escape(sentence)}.*\nRun 'postrider .*' for usage.$", errors);
    }

    [Theory]
    [InlineData("server", "watch", "--interval", "x")]
    [InlineData("top", "--timeout", "-1s")]
    public async Task Duration_that_is_not_understood_is_one_sentence(params string[] args)
    {
        var (code, _, errors) = await RunAsync(args);

        Assert.Equal(1, code);
        Assert.Equal($"postrider: '{args[^1]}' is not a duration such as 500ms, 30s, 2h30m or 7d.", Assert.Single(errors.Split('\n'), static line => line.StartsWith("postrider: ", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("postrider: 1 of 3 servers answered '$SYS.REQ.SERVER.PING.STATSZ' within 3s: ", "server", "ls")]
    [InlineData("postrider: 1 of 3 servers answered within 3s.", "server", "ping")]
    public async Task Servers_that_do_not_answer_are_a_failure_when_they_are_expected(string sentence, params string[] args)
    {
        var (code, _, errors) = await RunAsync([.. args, "--expect", "3", "--timeout", "3s", "--user", "sys", "--password", "s"]);

        Assert.Equal(1, code);
        Assert.StartsWith(sentence, errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_and_consumer_are_not_copied_onto_themselves()
    {
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [_broker.Url!], User = "a", Password = "a" }, Ct);
        var streams = client.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "S", Subjects = ["s"] }, Ct);
        await streams.CreateConsumerAsync("S", new ConsumerConfig { DurableName = "c" }, Ct);

        var stream = await RunAsync("stream", "copy", "S", "S", "--user", "a", "--password", "a");
        var consumer = await RunAsync("consumer", "copy", "S", "c", "c", "--user", "a", "--password", "a");

        Assert.Equal((1, "", "postrider: A stream cannot be copied onto itself: give the copy of 'S' another name."), stream);
        Assert.Equal((1, "", "postrider: A consumer cannot be copied onto itself: give the copy of 'c' another name."), consumer);
    }

    [Fact]
    public async Task Payload_that_is_left_out_is_read_from_the_terminal()
    {
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [_broker.Url!], User = "a", Password = "a" }, Ct);
        await using var subscription = client.Subscribe<string>("a");
        await client.FlushAsync(Ct);
        var program = Path.Join(_folder.FullName, "postrider");
        ServerProcess.Link(program);
        // script gives the program a terminal of its own.
        var start = new ProcessStartInfo("script", ["-qec", $"{program} pub a -s {_broker.Url} --user a --password a", "/dev/null"]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        start.Environment["XDG_CONFIG_HOME"] = _folder.FullName;
        using var terminal = Process.Start(start)!;
        using var patience = new CancellationTokenSource(ServerProcess.Patience);
        try
        {
            var notice = await terminal.StandardOutput.ReadLineAsync(patience.Token);
            await terminal.StandardInput.WriteAsync("green\n\u0004");
            await terminal.StandardInput.FlushAsync(patience.Token);

            Assert.EndsWith("Reading the payload from the terminal until Ctrl+D; '' is an empty one.", notice, StringComparison.Ordinal);
            Assert.Equal("green\n", (await subscription.ReadAsync(patience.Token)).Data);
        }
        finally
        {
            terminal.Kill(entireProcessTree: true);
        }
    }

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), args.Contains("-s") ? [] : [("NATS_URL", _broker.Url!)], args);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }
}
