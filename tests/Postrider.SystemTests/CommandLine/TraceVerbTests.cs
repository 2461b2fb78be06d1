using System.Text.Json;
using System.Text.RegularExpressions;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Servers;

namespace Postrider.SystemTests.CommandLine;

/// <summary><c>postrider trace</c> against one server, and two of a cluster.</summary>
public sealed class TraceVerbTests : IAsyncLifetime
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-trace-");
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await StartAsync("n1");
        _client = await ConnectAsync(_broker, "billing");
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Message_that_is_only_traced_reaches_nobody_and_its_way_is_shown()
    {
        await using var orders = _client.Subscribe<string>("orders.>", "workers");
        await _client.FlushAsync(Ct);

        var (code, output, errors) = await RunAsync("old.new", "tea");

        Assert.Equal((0, ""), (code, errors));
        Assert.Equal(
            """
            n1 (2.15.1): old.new from client postrider trace (*) in account SHOP
              mapped to orders.new
              client billing (*) by orders.> in queue group workers
            It would reach 1 client, 0 streams and 0 other servers.
            """,
            WithoutIds(output));
        await _client.PublishAsync("orders.end", "end", ct: Ct);
        Assert.Equal("end", (await orders.ReadAsync(Ct)).Data);
    }

    [Fact]
    public async Task Message_that_is_delivered_carries_its_payload_and_headers()
    {
        await using var orders = _client.Subscribe<string>("orders.>");
        await _client.FlushAsync(Ct);

        var (code, output, _) = await RunAsync("orders.new", "tea", "--deliver", "-H", "Kind:x", "-H", "Nats-Trace-Only:true", "-H", "Nats-Trace-Dest:elsewhere");

        Assert.Equal(0, code);
        Assert.EndsWith("Delivered to 1 client, 0 streams and 0 other servers.", output, StringComparison.Ordinal);
        var message = await orders.ReadAsync(Ct);
        Assert.Equal(("tea", "x"), (message.Data, message.Headers!["Kind"]));
    }

    [Theory]
    [InlineData(false, "It would reach 0 clients, 1 stream and 0 other servers.", 0)]
    [InlineData(true, "Delivered to 0 clients, 1 stream and 0 other servers.", 1)]
    public async Task Stream_is_a_step_and_stores_what_is_delivered(bool isDelivered, string last, int stored)
    {
        var stream = await _client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, ct: Ct);

        var (code, output, _) = await RunAsync(["orders.new", "tea", .. isDelivered ? ["--deliver"] : Array.Empty<string>()]);

        Assert.Equal(0, code);
        Assert.Equal(
            $"n1 (2.15.1): orders.new from client postrider trace (*) in account SHOP\n  stream ORDERS stores it as orders.new\n{last}",
            WithoutIds(output));
        Assert.Equal((ulong)stored, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Fact]
    public async Task Service_of_another_account_is_on_the_way_where_its_export_allows_it()
    {
        await using var stock = await ConnectAsync(_broker, "stock", "stock");
        await using var asked = stock.Subscribe<string>("stock.tea");
        await stock.FlushAsync(Ct);

        var (code, output, _) = await RunAsync("ask.tea");

        Assert.Equal(0, code);
        Assert.Equal(
            """
            n1 (2.15.1): ask.tea from client postrider trace (*) in account SHOP
              service of account STOCK: ask.tea becomes stock.tea
              client stock (*) by stock.tea in account STOCK
            It would reach 1 client, 0 streams and 0 other servers.
            """,
            WithoutIds(output));
    }

    [Fact]
    public async Task Other_server_of_the_cluster_reports_under_the_first_one()
    {
        await using var second = await StartAsync("n2", $"nats-route://127.0.0.1:{_broker.State.ClusterPort}");
        await using var far = await ConnectAsync(second, "far");
        await using var orders = far.Subscribe<string>("orders.new");
        await far.FlushAsync(Ct);
        await Eventually.HoldsAsync(async () => (await RunAsync("orders.new", "--json")).Output.Contains("\"hop\"", StringComparison.Ordinal));

        var (code, output, _) = await RunAsync("orders.new");

        Assert.Equal(0, code);
        Assert.Equal(
            """
            n1 (2.15.1): orders.new from client postrider trace (*) in account SHOP
              route n2 (*), hop 1
                n2 (2.15.1): orders.new from route n1 (*) in account SHOP
                  client far (*) by orders.new
            It would reach 1 client, 0 streams and 1 other server.
            """,
            WithoutIds(output));
    }

    [Theory]
    [InlineData("orders.new")]
    [InlineData("orders.new", "-H", "Accept-Encoding:gzip")]
    public async Task Json_is_an_array_of_the_reports(params string[] args)
    {
        var (code, output, _) = await RunAsync([.. args, "--json"]);

        Assert.Equal(0, code);
        var report = Assert.Single(JsonDocument.Parse(output).RootElement.EnumerateArray());
        Assert.Equal("n1", report.GetProperty("server").GetProperty("name").GetString());
        Assert.Equal(("in", "orders.new"), (report.GetProperty("events")[0].GetProperty("type").GetString(), report.GetProperty("events")[0].GetProperty("subj").GetString()));
    }

    [Fact]
    public async Task Subject_that_the_user_may_not_publish_to_is_said_with_the_reason()
    {
        var (code, output, _) = await RunAsync("secret.x");

        Assert.Equal(0, code);
        Assert.Equal(
            "n1 (2.15.1): secret.x from client postrider trace (*) in account SHOP: Permissions Violation for Publish to \"secret.x\"\nIt would reach 0 clients, 0 streams and 0 other servers.",
            WithoutIds(output));
    }

    [Fact]
    public async Task Without_a_report_it_ends_with_1_and_a_line()
    {
        var (code, output, errors) = await RunAsync("orders.new", "--user", "mute", "--timeout", "200ms");

        Assert.Equal((1, ""), (code, output));
        Assert.Equal("postrider: no server reported on the message in time. It may not be permitted to publish here, or the server does not trace messages (nats-server does from 2.11 on).", errors);
    }

    [Theory]
    [InlineData("a.*", "'a.*' is not a valid subject to publish to")]
    [InlineData("a..b", "'a..b' is not a valid subject to publish to")]
    public async Task Subject_that_is_none_ends_with_1_and_says_why(string subject, string why)
    {
        var (code, _, errors) = await RunAsync(subject);

        Assert.Equal(1, code);
        Assert.Contains(why, errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("no report")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"server\":1,\"request\":{},\"events\":[]}")]
    [InlineData("{\"server\":{},\"request\":{},\"events\":[1]}")]
    [InlineData("{\"server\":{},\"request\":{\"header\":{\"Nats-Trace-Hop\":[]}},\"events\":[]}")]
    [InlineData("\u001f\u008bx")]
    public void Report_that_is_none_is_refused(string report)
    {
        var path = new TracePath();

        Assert.ThrowsAny<JsonException>(() => path.Add(Bytes(report)));

        Assert.True(path.IsEmpty);
    }

    [Theory]
    [InlineData("{\"server\":{\"name\":7},\"request\":{},\"events\":[{\"type\":\"eg\",\"kind\":\"x\",\"cid\":-1,\"hop\":\"\"}]}", "  connection , hop \nIt would reach 0 clients, 0 streams and 1 other server.")]
    [InlineData("{\"server\":{},\"request\":{},\"events\":[{\"type\":7}]}", "   {\"type\":7}\nIt would reach 0 clients, 0 streams and 0 other servers.")]
    public void Report_that_names_itself_as_the_next_or_has_odd_values_is_shown_once(string report, string text)
    {
        var path = new TracePath();

        path.Add(Bytes(report));

        Assert.Equal(text, path.ToText(isDelivered: false));
    }

    private static byte[] Bytes(string text) => [.. text.Select(static letter => (byte)letter)];

    private static string WithoutIds(string output) => Regex.Replace(output, @"\(\d+\)", "(*)");

    private Task<NatsBroker> StartAsync(string name, params string[] routes) => NatsBroker.StartAsync(
        new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            ServerName = name,
            JetStream = name == "n1" ? new() { StoreDirectory = _folder.FullName } : null,
            Cluster = new ClusterOptions { Name = "shop", Port = BrokerOptions.RandomPort, Routes = routes },
            Accounts =
            [
                new AccountOptions
                {
                    Name = "SHOP",
                    JetStream = name == "n1" ? new JetStreamAccountLimits() : null,
                    Users =
                    [
                        new UserOptions { Name = "shop", Password = "secret", Permissions = new PermissionOptions { Publish = new SubjectPermission { Deny = ["secret.>"] } } },
                        new UserOptions { Name = "mute", Password = "secret", Permissions = new PermissionOptions { Publish = new SubjectPermission { Allow = ["orders.>"] } } },
                    ],
                    Mappings = [new SubjectMappingOptions { Source = "old.*", Destinations = [new SubjectMappingDestination("orders.$1")] }],
                    Imports = [new ImportOptions { Type = ExportType.Service, Account = "STOCK", Subject = "stock.tea", To = "ask.tea" }],
                },
                new AccountOptions
                {
                    Name = "STOCK",
                    Users = [new UserOptions { Name = "stock", Password = "secret" }],
                    Exports = [new ExportOptions { Type = ExportType.Service, Subject = "stock.tea", AllowTrace = true }],
                },
            ],
        },
        Ct);

    private static Task<NatsClient> ConnectAsync(NatsBroker broker, string name, string user = "shop")
        => NatsClient.ConnectAsync(broker.Url!, options => (options.User, options.Password, options.Name) = (user, "secret", name), Ct);

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        string[] user = args.Contains("--user") ? [] : ["--user", "shop"];
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), ["trace", .. args, "--server", _broker.Url!, .. user, "--password", "secret"]);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }
}
