using System.Text.Json;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Credentials;

namespace Postrider.SystemTests.CommandLine;

public sealed class ClientVerbTests : IAsyncLifetime
{
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
        _client = await NatsClient.ConnectAsync(_broker.Url!);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }

    [Fact]
    public async Task Pub_publishes_payload_headers_and_reply_subject()
    {
        await using var subscription = _client.Subscribe<string>("a.b");
        await _client.FlushAsync();

        var (code, output, _) = await RunAsync("pub", "a.b", "hej", "-H", "Kind: x", "--reply", "r", "--count", "2");

        Assert.Equal((0, "Published 2 × 3 bytes to a.b"), (code, output));
        var message = await subscription.ReadAsync();
        Assert.Equal(("hej", "x", "r"), (message.Data, message.Headers!["Kind"], message.ReplyTo));
        Assert.Equal("hej", (await subscription.ReadAsync()).Data);
    }

    [Theory]
    [InlineData("postrider: The message was not accepted. The server reported: Permissions Violation for Publish to \"secret\"", "secret", "x")]
    [InlineData("postrider: All 3 messages were not accepted. The server reported: Permissions Violation for Publish to \"secret\"", "secret", "x", "--count", "3")]
    [InlineData("postrider: 1 of 2 messages were not accepted. The server reported: Permissions Violation for Publish to \"open.1\"", "open.{{Count}}", "x", "--count", "2")]
    public async Task Pub_that_the_server_rejects_ends_with_1_and_its_reason(string reason, params string[] args)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "guest", Password = "guest", Permissions = new PermissionOptions { Publish = new SubjectPermission { Deny = ["secret", "open.1"] } } }] },
        });

        var (code, output, errors) = await RunAsync(["pub", .. args, "-s", broker.Url!, "--user", "guest", "--password", "guest"]);

        Assert.Equal((1, "", reason), (code, output, errors));
    }

    [Fact]
    public async Task Login_and_certificate_are_asked_for_by_the_names_of_their_options()
    {
        using var key = NkeyPair.Create(NkeyKind.User);
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = key.PublicKey, IsNkey = true }] },
        });

        var (code, _, errors) = await RunAsync("rtt", "-s", broker.Url!);

        Assert.Equal((1, $"postrider: The server {broker.EndPoint} asks for credentials such as an nkey or a JWT, and the client has none: set --creds or --nkey. It reported: Authorization Violation"), (code, errors));
    }

    [Fact]
    public async Task A_server_with_users_makes_a_command_without_a_login_say_how_to_give_one()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "ann", Password = "secret" }] },
        });

        var (code, _, errors) = await RunAsync("rtt", "-s", broker.Url!);
        var (_, _, wrong) = await RunAsync("rtt", "-s", broker.Url!, "--user", "ann", "--password", "guess");

        Assert.Equal((1, "postrider: The server reported: Authorization Violation\npostrider: There is no login: set --user and --password, --token, --creds or --nkey, or select a context."), (code, errors));
        Assert.Equal("postrider: The server reported: Authorization Violation", wrong);
    }

    [Fact]
    public async Task Sub_writes_a_line_of_json_for_each_message_and_ends_at_the_count()
    {
        using var sub = Start("sub", "a.>", "--count", "2", "--json");
        await Eventually.HoldsAsync(() => sub.Errors.Contains("Subscribed to a.>", StringComparison.Ordinal));

        await _client.PublishAsync("a.text", "grüße", "me");
        await _client.PublishAsync("a.bytes", new byte[] { 0xff, 0xfe });

        Assert.Equal(0, await sub.ExitAsync());
        Assert.Equal("{\"subject\":\"a.text\",\"reply\":\"me\",\"data\":\"grüße\"}\n{\"subject\":\"a.bytes\",\"data_base64\":\"//4=\"}", sub.Output);
    }

    [Fact]
    public async Task Sub_ends_cleanly_when_interrupted()
    {
        using var sub = Start("sub", "a");
        await Eventually.HoldsAsync(() => sub.Errors.Contains("Subscribed to a", StringComparison.Ordinal));

        await sub.SignalAsync("INT");

        Assert.Equal(0, await sub.ExitAsync());
    }

    [Fact]
    public async Task Request_shows_the_answer()
    {
        await using var service = _client.Subscribe<string>("add", (message, ct) => message.ReplyAsync(message.Data + "!", ct: ct));
        await _client.FlushAsync();

        var (code, output, _) = await RunAsync("request", "add", "one", "--raw");

        Assert.Equal((0, "one!"), (code, output));
    }

    [Fact]
    public async Task Request_that_a_service_answers_with_an_error_ends_with_1()
    {
        using var reply = Start("reply", "desk", "--count", "1", "-H", "Nats-Service-Error-Code:500", "-H", "Nats-Service-Error:closed");
        await Eventually.HoldsAsync(() => reply.Errors.Contains("Replying to desk", StringComparison.Ordinal));

        var (code, output, _) = await RunAsync("request", "desk", "x");

        Assert.Equal(1, code);
        Assert.Contains("Nats-Service-Error: closed", output, StringComparison.Ordinal);
        Assert.Equal(0, await reply.ExitAsync());
    }

    [Fact]
    public async Task Request_to_nobody_ends_with_1_and_a_line()
    {
        var (code, output, errors) = await RunAsync("request", "nobody", "x");

        Assert.Equal((1, ""), (code, output));
        Assert.Equal("postrider: No responders are listening on 'nobody'.", errors);
    }

    [Fact]
    public async Task Request_for_many_takes_every_answer_in_time()
    {
        await using var one = _client.Subscribe<string>("who", (message, ct) => message.ReplyAsync("one", ct: ct));
        await using var two = _client.Subscribe<string>("who", (message, ct) => message.ReplyAsync("two", ct: ct));
        await _client.FlushAsync();

        var (code, output, _) = await RunAsync("request", "who", "", "--replies", "2", "--raw");

        Assert.Equal(0, code);
        Assert.Equal(["one", "two"], output.Split('\n').Order());
    }

    [Fact]
    public async Task Reply_answers_until_the_count()
    {
        using var reply = Start("reply", "echo", "--count", "1", "-H", "By:me");
        await Eventually.HoldsAsync(() => reply.Errors.Contains("Replying to echo", StringComparison.Ordinal));

        var answer = await _client.RequestAsync<string, string>("echo", "hello");

        Assert.Equal(("hello", "me"), (answer.Data, answer.Headers!["By"]));
        Assert.Equal(0, await reply.ExitAsync());
    }

    [Fact]
    public async Task Rtt_reports_its_round_trips_in_order()
    {
        var (code, output, _) = await RunAsync("rtt", "--count", "3", "--json");

        Assert.Equal(0, code);
        var json = JsonDocument.Parse(output).RootElement;
        Assert.Equal(3, json.GetProperty("count").GetInt32());
        Assert.InRange(json.GetProperty("median_us").GetDouble(), json.GetProperty("min_us").GetDouble(), json.GetProperty("max_us").GetDouble());
    }

    [Fact]
    public async Task Info_is_the_servers_own()
    {
        var (code, output, _) = await RunAsync("server", "info", "--json");

        Assert.Equal(0, code);
        Assert.Equal(_broker.State.ServerId, JsonDocument.Parse(output).RootElement.GetProperty("server_id").GetString());
    }

    [Fact]
    public async Task Sub_that_the_server_rejects_ends_with_1_and_its_reason()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "guest", Password = "guest", Permissions = new PermissionOptions { Subscribe = new SubjectPermission { Deny = ["secret.>"] } } }] },
        });

        var (code, _, errors) = await RunAsync(["sub", "secret.>", "-s", broker.Url!, "--user", "guest", "--password", "guest"]);

        Assert.Equal(1, code);
        Assert.Contains("Permissions Violation for Subscription to \"secret.>\"", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "ok", "--warn", "1h", "--critical", "2h")]
    [InlineData(1, "warning", "--warn", "0ms", "--critical", "2h")]
    [InlineData(2, "critical", "--warn", "0ms", "--critical", "0ms")]
    [InlineData(2, "critical", "-s", "nats://127.0.0.1:1")]
    public async Task Check_ends_with_the_code_of_its_status(int expected, string status, params string[] args)
    {
        var (code, output, _) = await RunAsync(["server", "check", "--json", .. args]);

        Assert.Equal(expected, code);
        Assert.Equal(status, JsonDocument.Parse(output).RootElement.GetProperty("status").GetString());
    }

    [Theory]
    [InlineData("pub", 500, "-n", "500", "--publishers", "3")]
    [InlineData("fan-out", 1500, "-n", "500", "--publishers", "2", "--subscribers", "3")]
    [InlineData("request", 200, "-n", "200", "--publishers", "2", "--subscribers", "2", "--in-flight", "3")]
    public async Task Bench_counts_every_message(string name, long messages, params string[] args)
    {
        var (code, output, _) = await RunAsync(["bench", name, "--json", "--size", "16", "--server-pid", $"{Environment.ProcessId}", .. args]);

        Assert.Equal(0, code);
        var json = JsonDocument.Parse(output).RootElement;
        Assert.Equal((messages, messages, 16), (json.GetProperty("messages").GetInt64(), json.GetProperty("expected").GetInt64(), json.GetProperty("size_bytes").GetInt32()));
        Assert.True(json.GetProperty("server_cpu_seconds").GetDouble() >= 0);
        Assert.Equal(name == "request", json.TryGetProperty("p99_us", out _));
    }

    [Fact]
    public async Task Bench_sub_counts_what_others_publish()
    {
        using var bench = Start("bench", "sub", "--subject", "b", "-n", "100", "--json");
        await Eventually.HoldsAsync(() => _broker.State.Subscriptions(null).Any(subscription => subscription.Subject == "b"));

        for (var i = 0; i < 100; i++)
            await _client.PublishAsync("b", "12345");

        Assert.Equal(0, await bench.ExitAsync());
        var json = JsonDocument.Parse(bench.Output).RootElement;
        Assert.Equal((100, 5), (json.GetProperty("messages").GetInt32(), json.GetProperty("size_bytes").GetInt32()));
    }

    [Theory]
    [InlineData("'soon' is not a duration such as 500ms, 30s, 2h30m or 7d.", "rtt", "--timeout", "soon")]
    [InlineData("'x' is not a header such as Name:value.", "pub", "a", "b", "-H", "x")]
    [InlineData("'--serber' is not an option of 'postrider pub'. Did you mean '--server'?", "pub", "--serber", "nats://a", "b", "c")]
    [InlineData("'--hedaer' is not an option of 'postrider pub'. Did you mean '--header'?", "pub", "a", "--hedaer")]
    [InlineData("'--everything' is not an option of 'postrider pub'. To pass it as text, write -- before it.", "pub", "a", "--everything")]
    [InlineData("'--count-all' is not an option of 'postrider stream ls'.", "stream", "ls", "--count-all")]
    [InlineData("'pbu' is not a command of 'postrider'. Did you mean 'pub'? Commands: ", "pbu", "a")]
    [InlineData("'ad' is not a command of 'postrider stream'. Did you mean 'add'? Commands: ", "stream", "ad")]
    [InlineData("'postrider server report' needs a command before '-s'. Commands: connections, jetstream, accounts.", "server", "report", "-s", "nats://a")]
    [InlineData("'postrider stream' needs a command before '--server=a'. Commands: add, edit, ", "stream", "--server=a")]
    [InlineData("Use one of --context and --no-context.", "rtt", "--context", "a", "--no-context")]
    [InlineData("--count must be at least 1.", "rtt", "--count", "0")]
    [InlineData("--messages must be at least 1.", "bench", "pub", "-n", "0")]
    [InlineData("--count must be at least 1.", "sub", "a", "--count", "0")]
    [InlineData("--interval needs --graph.", "sub", "a", "--interval", "1s")]
    [InlineData("--graph prints no messages: --raw and --timestamps cannot be used with it.", "sub", "a", "--graph", "--raw")]
    [InlineData("--count must be at least 1.", "pub", "a", "x", "--count", "-1")]
    [InlineData("'x' is not a whole number for --count.", "rtt", "--count", "x")]
    [InlineData("'x' is not a whole number for --messages.", "bench", "pub", "--messages", "x")]
    [InlineData("'bad subject' is not a valid subject to publish to", "pub", "bad subject", "x")]
    [InlineData("'a..b' is not a valid subject to publish to", "pub", "a..b", "x")]
    [InlineData("'a.*' is not a valid subject to publish to", "request", "a.*", "x")]
    [InlineData("'a.>.b' is not a valid subject: the tokens", "sub", "a.>.b")]
    [InlineData("postrider: Could not find file '/nonexistent'.", "stream", "add", "S", "--config", "/nonexistent")]
    [InlineData("postrider: Cannot connect to 127.0.0.1:1: Connection refused", "rtt", "-s", "127.0.0.1:1")]
    public async Task Bad_use_ends_with_1_and_says_why(string why, params string[] args)
    {
        var (code, _, errors) = await RunAsync(args);

        Assert.Equal(1, code);
        Assert.Contains(why, errors, StringComparison.Ordinal);
    }

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        using var verb = Start(args);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }

    private ServerProcess Start(params string[] args) =>
        ServerProcess.Start("postrider", ServerProcess.NewFolder(), args.Contains("-s") ? args : [.. args, "--server", _broker.Url!]);
}
