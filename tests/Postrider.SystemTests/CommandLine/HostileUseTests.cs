using System.Diagnostics;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Wrong and unlucky uses of the commands: one sentence, an exit code that is not 0, and nothing lost.</summary>
public sealed class HostileUseTests : IAsyncLifetime
{
    private const int Messages = 500;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-use-");
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await StartBrokerAsync(BrokerOptions.RandomPort);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [_broker.Url!] }, Ct);
        var streams = _client.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        await streams.CreateConsumerAsync("ORDERS", new ConsumerConfig { DurableName = "billing" }, Ct);
        await _client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "settings" }, Ct);
        await _client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "photos" }, Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData("Consumer billing of stream ORDERS had no message within 50ms.", "consumer", "next", "ORDERS", "billing", "--wait", "50ms")]
    [InlineData("--wait must be longer than 0.", "consumer", "next", "ORDERS", "billing", "--wait", "0")]
    [InlineData("--wait must be at most 24d.", "sub", "a", "--wait", "60d")]
    [InlineData("--interval must be longer than 0.", "stream", "graph", "ORDERS", "--interval", "0")]
    [InlineData("--timeout must be at most 24d.", "rtt", "--timeout", "60d")]
    [InlineData("--since must be at most 292y.", "sub", "a", "--stream", "ORDERS", "--since", "10000y")]
    [InlineData("--for must be at most 292y.", "consumer", "pause", "ORDERS", "billing", "--for", "10000y")]
    [InlineData("--password is set without --user: set both.", "rtt", "--password", "x")]
    [InlineData("'nope' is not a valid value of --sort. Values: name, messages, bytes, consumers.", "stream", "report", "--sort", "nope")]
    [InlineData("'a b' is not a valid subject", "stream", "subjects", "ORDERS", "a b")]
    [InlineData("--mirror: The text is not a valid StreamConfig: The value at $.sources[0].name has the wrong type.", "stream", "add", "COPY", "--mirror", """{"name":7}""")]
    [InlineData("--history must be at most 64.", "kv", "add", "b", "--history", "65")]
    [InlineData("Bucket 'nope' does not exist.", "kv", "rm", "nope", "--force")]
    [InlineData("Bucket 'nope' does not exist.", "object", "rm", "nope", "--force")]
    [InlineData("Key 'nope' does not exist in bucket 'settings'.", "kv", "history", "settings", "nope")]
    [InlineData("An object from standard input has no name: use --name.", "object", "put", "photos")]
    [InlineData("The folder '/nonexistent' does not exist.", "object", "get", "photos", "cat", "--output", "/nonexistent/cat")]
    [InlineData("'/tmp' is a folder: name a file in it.", "object", "get", "photos", "cat", "--output", "/tmp")]
    [InlineData("No service answers.", "call")]
    [InlineData("--url needs --openapi.", "call", "--url", "http://127.0.0.1:1")]
    [InlineData("--days must be at most 3650.", "dev-cert", "--days", "4000")]
    public async Task Bad_use_ends_with_1_and_one_sentence(string sentence, params string[] args)
    {
        var (code, output, errors) = await RunAsync(args);

        Assert.Equal((1, ""), (code, output));
        Assert.StartsWith($"postrider: {sentence}", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Time_out_in_the_environment_that_is_no_duration_is_reported()
    {
        using var rtt = ServerProcess.Start("postrider", ServerProcess.NewFolder(), [("NATS_TIMEOUT", "soon")], ["rtt", "-s", _broker.Url!]);

        Assert.Equal((1, "postrider: NATS_TIMEOUT is 'soon', which is not a duration such as 500ms, 5s or 1m."), (await rtt.ExitAsync(), rtt.Errors));
    }

    [Fact]
    public async Task Subject_may_have_a_function_with_numbers()
    {
        await using var subscription = _client.Subscribe<string>("a.*");
        await _client.FlushAsync(Ct);

        var (code, _, _) = await RunAsync("pub", "a.{{Random 3 3}}", "x");

        Assert.Equal(0, code);
        Assert.Equal(5, (await subscription.ReadAsync(Ct)).Subject.Length);
    }

    [Fact]
    public async Task Document_whose_members_have_wrong_types_is_reported()
    {
        var file = Path.Join(_folder.FullName, "bad.json");
        await File.WriteAllTextAsync(file, """{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":7}}}}""", Ct);

        var (code, _, errors) = await RunAsync("call", "--openapi", file);

        Assert.Equal(1, code);
        Assert.StartsWith($"postrider: The document at {file} is not a valid OpenAPI document: ", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("nope", "postrider: Object 'nope' does not exist in bucket 'photos'.")]
    [InlineData("torn", "postrider: ")]
    public async Task Object_that_cannot_be_read_leaves_the_file_in_place(string name, string sentence)
    {
        var bucket = await _client.CreateObjectStoreContext().GetBucketAsync("photos", Ct);
        await bucket.PutAsync(new ObjectMeta { Name = "torn" }, new MemoryStream(new byte[300_000]), Ct);
        // The first chunk is gone.
        await (await _client.CreateJetStreamContext().GetStreamAsync("OBJ_photos", ct: Ct)).DeleteMessageAsync(1, ct: Ct);
        var file = Path.Join(_folder.FullName, "precious");
        await File.WriteAllTextAsync(file, "precious", Ct);

        var (code, _, errors) = await RunAsync("object", "get", "photos", name, "--output", file, "--timeout", "2s");

        Assert.Equal(1, code);
        Assert.StartsWith(sentence, errors, StringComparison.Ordinal);
        Assert.Equal("precious", await File.ReadAllTextAsync(file, Ct));
        Assert.Empty(Directory.EnumerateFiles(_folder.FullName, "*.part"));
    }

    [Fact]
    public async Task Object_replaces_the_file_that_a_link_leads_to()
    {
        var bucket = await _client.CreateObjectStoreContext().GetBucketAsync("photos", Ct);
        await bucket.PutAsync(new ObjectMeta { Name = "cat" }, new MemoryStream("miaow"u8.ToArray()), Ct);
        var (file, link) = (Path.Join(_folder.FullName, "file"), Path.Join(_folder.FullName, "link"));
        await File.WriteAllTextAsync(file, "a longer text", Ct);
        File.CreateSymbolicLink(link, file);

        var (code, _, _) = await RunAsync("object", "get", "photos", "cat", "--output", link);

        Assert.Equal((0, "miaow"), (code, await File.ReadAllTextAsync(file, Ct)));
        Assert.Equal(file, File.ResolveLinkTarget(link, returnFinalTarget: false)?.FullName);
    }

    [Fact]
    public async Task Seed_file_is_not_replaced_unless_asked()
    {
        var file = Path.Join(_folder.FullName, "robot.nk");
        Assert.Equal(0, (await RunAsync("auth", "nkey", "user", "--out", file)).Code);
        var before = await File.ReadAllTextAsync(file, Ct);

        var (code, _, errors) = await RunAsync("auth", "nkey", "user", "--out", file);
        var kept = await File.ReadAllTextAsync(file, Ct);
        var (forced, _, _) = await RunAsync("auth", "nkey", "user", "--out", file, "--force");

        Assert.Equal((1, $"postrider: '{file}' exists, and its seed would be lost: use another file, or --force.", before), (code, errors, kept));
        Assert.Equal(0, forced);
        Assert.NotEqual(before, await File.ReadAllTextAsync(file, Ct));
    }

    [Theory]
    [InlineData("consumer", "next", "ORDERS", "billing", "--count", "500")]
    [InlineData("consumer", "sub", "ORDERS", "billing")]
    public async Task Messages_after_the_end_of_the_pipe_are_not_acknowledged(params string[] args)
    {
        var streams = _client.CreateJetStreamContext();
        for (var i = 0; i < Messages; i++) await streams.PublishAsync($"orders.{i}", new string('x', 1000), ct: Ct);

        var codes = await PipeAsync(args);

        Assert.Equal("141 0", codes);
        var consumer = await streams.GetConsumerAsync("ORDERS", "billing", Ct);
        Assert.True(consumer.Info.AckFloor.StreamSequence < Messages / 2, $"{consumer.Info.AckFloor.StreamSequence} messages were acknowledged.");
    }

    [Fact]
    public async Task Help_into_a_closed_pipe_ends_without_a_message()
        => Assert.Equal("0 0", (await PipeAsync("help", "stream", "add")).Replace("141", "0", StringComparison.Ordinal));

    [Fact]
    public async Task Command_that_is_interrupted_before_its_end_fails()
    {
        await using var subscription = _client.Subscribe<string>("a");
        await _client.FlushAsync(Ct);
        using var pub = Start("pub", "a", "x", "--count", "1000", "--sleep", "1h");
        await subscription.ReadAsync(Ct);

        await pub.SignalAsync("INT");

        Assert.Equal((130, "", "postrider: Interrupted before the end."), (await pub.ExitAsync(), pub.Output, pub.Errors));
    }

    [Fact]
    public async Task Messages_published_while_the_connection_was_lost_are_reported()
    {
        var port = FreePort.Find();
        var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = port }, Ct);
        await using (var other = await NatsClient.ConnectAsync(new ClientOptions { Servers = [broker.Url!] }, Ct))
        {
            await using var subscription = other.Subscribe<string>("a");
            await other.FlushAsync(Ct);
            using var pub = Start("pub", "a", "x", "--count", "20", "--sleep", "100ms", "-s", broker.Url!);
            await subscription.ReadAsync(Ct);
            await broker.DisposeAsync();
            broker = await NatsBroker.StartAsync(new BrokerOptions { Port = port }, Ct);

            Assert.Equal((1, ""), (await pub.ExitAsync(), pub.Output));
            Assert.Contains($"Disconnected from 127.0.0.1:{port}; reconnecting", pub.Errors, StringComparison.Ordinal);
            Assert.Contains("postrider: The connection was lost meanwhile, and messages may be lost with it.", pub.Errors, StringComparison.Ordinal);
        }

        await broker.DisposeAsync();
    }

    private Task<NatsBroker> StartBrokerAsync(int port) => NatsBroker.StartAsync(
        new BrokerOptions { Port = port, JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Join(_folder.FullName, "store") } }, Ct);

    // The first line alone is read; the exit codes of both programs.
    [Theory]
    [InlineData("\"$1\" help >&-; echo $?", "0")]
    [InlineData("\"$1\" pub a x >&-; echo $?", "0")]
    [InlineData("\"$1\" serve -c /nonexistent 2>/dev/full; echo $?", "1")]
    [InlineData("\"$1\" serve -p -1 -a 127.0.0.1 --ports_file_dir . 2>/dev/full & p=$!; until ls *.ports >/dev/null 2>&1; do :; done; kill -TERM $p; wait $p; echo $?", "0")]
    [InlineData("\"$1\" serve -p -1 -a 127.0.0.1 --ports_file_dir . 2>&- & p=$!; until ls *.ports >/dev/null 2>&1; do :; done; kill -TERM $p; wait $p; echo $?", "0")]
    public async Task Output_that_cannot_be_written_ends_no_program(string script, string code)
    {
        var program = Path.Join(_folder.FullName, "postrider");
        ServerProcess.Link(program);
        var start = new ProcessStartInfo("bash", ["-c", script, "bash", program]) { RedirectStandardOutput = true, WorkingDirectory = ServerProcess.NewFolder() };
        start.Environment["NATS_URL"] = _broker.Url;
        using var shell = Process.Start(start)!;
        var printed = await shell.StandardOutput.ReadToEndAsync(Ct);
        await shell.WaitForExitAsync(Ct);

        Assert.Equal(code, printed.Trim());
    }

    private async Task<string> PipeAsync(params string[] args)
    {
        var program = Path.Join(_folder.FullName, "postrider");
        ServerProcess.Link(program);
        var start = new ProcessStartInfo("bash", ["-c", "\"$@\" 2>/dev/null </dev/null | head -n 1 >/dev/null; echo \"${PIPESTATUS[*]}\"", "bash", program, .. args]) { RedirectStandardOutput = true };
        start.Environment["NATS_URL"] = _broker.Url;
        start.Environment["XDG_CONFIG_HOME"] = _folder.FullName;
        using var shell = Process.Start(start)!;
        var codes = await shell.StandardOutput.ReadToEndAsync(Ct);
        await shell.WaitForExitAsync(Ct);
        return codes.Trim();
    }

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        using var verb = Start(args);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }

    private ServerProcess Start(params string[] args)
        => ServerProcess.Start("postrider", ServerProcess.NewFolder(), args.Contains("-s") ? [] : [("NATS_URL", _broker.Url!)], args);
}
