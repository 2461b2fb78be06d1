using System.Net;
using System.Net.WebSockets;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.Credentials;
using Postrider.Envelopes;
using Postrider.InteropTests.Harness;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.InteropTests.Monitoring;

/// <summary>What may be done from the dashboard, and who may not.</summary>
public sealed class DashboardActingTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-acting-");
    private readonly NkeyPair _admin = NkeyPair.Create(NkeyKind.User);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _admin.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Who_signs_in_does_what_its_client_may_while_the_broker_works()
    {
        await using var server = await StartAsync($$"""
            accounts {
              SYS { users: [ { nkey: {{_admin.PublicKey}} } ] }
              APP { jetstream: enabled, users: [ { user: app, password: app, permissions { publish { deny: "forbidden.>" } } } ] }
            }
            system_account: SYS
            jetstream { store_dir: "{{_folder.FullName}}/store" }
            """);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [UrlOf(server)] }, Ct);
        await using var victim = await NatsClient.ConnectAsync(new ClientOptions { Servers = [UrlOf(server)], Name = "victim", Reconnect = false }, Ct);
        await FillAsync(client);
        await using var parcels = new InMemoryTransport();
        await using var service = client.AddDeadLetterService(new Dictionary<string, ITransport>(StringComparer.Ordinal) { ["parcels"] = parcels }, sources: [new DeadLetterSource("parcels", "parcels.dead")]);
        await client.FlushAsync(Ct);
        await using (await parcels.ListenAsync(new AtLeastOnceBinding("parcels") { DeadLetter = "parcels.dead" }, static (_, _) => throw new PostriderException(PostriderError.Refused, "too heavy"), Ct))
            foreach (var body in new[] { "a parcel", "another parcel" })
                await parcels.SendAsync(new Envelope { Destination = "parcels", Body = Encoding.UTF8.GetBytes(body) }, Ct);
        await using var listener = await parcels.ListenAsync(new AtLeastOnceBinding("parcels"), static (_, _) => default, Ct);

        using var ended = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var load = PublishAsync(client, ended.Token);
        var work = WorkAsync(client, ended.Token);

        var story = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "dashboard-acting.mjs"), $"http://{server.Pages.EndPoint}/dashboard/", SeedOf(_admin), Environment.GetEnvironmentVariable("POSTRIDER_PICTURES") ?? "");

        await ended.CancelAsync();
        await work;
        Assert.InRange(await load, 1_000, long.MaxValue);
        Assert.Null(await (await client.CreateKeyValueContext().GetBucketAsync("settings", Ct)).TryGetAsync<string>("colour", ct: Ct));
        Assert.Equal(
            """
            wrong password: Authorization Violation
            You are signed in as app to the account APP, with the permissions of this client.
            1 to 3 of 1 to 3
            Colour
            <img src=x onerror=hack()> | { "n": 2 } | images made: 0
            Message 2 of ORDERS was deleted.
            orders.3: 3
            subjects: orders.1 1, orders.3 1
            Stored in ORDERS as message 4.
            Already stored in ORDERS as message 4.
            No service or stream responds on nobody.listens.
            You have no permission to publish to forbidden.subject.
            "no header" is not a header: use Name: value, one per line.
            billing is paused
            billing was resumed.
            The client of pinned in the group jobs is no longer pinned.
            half a name is enough: false
            3 messages of ORDERS were removed.
            Revision 1 | red
            colour was stored as revision 2.
            Another client has changed this key since you read it. Open it again to see the new value.
            colour was deleted. | deleted
            objects: report.txt
            report.txt | all is well | saved as report.txt
            offered: parcels.dead (parcels) | 2 shown.
            dead: Final: too heavy | a parcel
            Sent back: 1. | 1 shown.
            dead: another parcel
            Deleted: 1. | There are no dead letters.
            There is no transport 'nothing'. Transports: parcels.
            360 px: true true true true
            close buttons of app: 0
            You are signed in as its key to the account SYS, with the permissions of this client.
            Connection N was closed.
            You are signed out. | true
            faults: none
            """.ReplaceLineEndings("\n"),
            story);
        Assert.DoesNotContain(server.Broker.State.OpenConnections(withSubscriptions: false), static connection => connection.Name == "victim");
    }

    [Theory]
    [InlineData("", "", "localhost", null)]
    [InlineData("", "", "127.0.0.1", null)]
    [InlineData("", "", "broker.example", "localhost on its own machine")]
    [InlineData("", "", "127.0.0.1.example", "localhost on its own machine")]
    [InlineData("", "", "0.0.0.0", "localhost on its own machine")]
    [InlineData("authorization { user: a, password: b }", "", "127.0.0.1", null)]
    [InlineData("authorization { user: a, password: b }", "", "broker.example", "over HTTPS")]
    [InlineData("authorization { users: [{ user: a, password: b }] }\nno_auth_user: a", "", "broker.example", "localhost on its own machine")]
    [InlineData("", "off", "127.0.0.1", "switched off")]
    public async Task Page_is_told_whether_it_may_act(string configuration, string actions, string host, string? problem)
    {
        // Readers have a password, so that the page is shown at other names than localhost.
        await using var server = await StartAsync(configuration, actions != "off", static options => (options.Monitoring.User, options.Monitoring.Password) = ("watch", "watch"));
        using var http = new HttpClient();
        http.DefaultRequestHeaders.Authorization = new("Basic", Convert.ToBase64String("watch:watch"u8));
        using var request = new HttpRequestMessage(HttpMethod.Get, $"http://{server.Pages.EndPoint}/dashboard/access");
        request.Headers.Host = $"{host}:{server.Pages.EndPoint!.Port}";

        using var answer = await http.SendAsync(request, Ct);
        var text = await answer.Content.ReadAsStringAsync(Ct);
        using var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        socket.Options.SetRequestHeader("Host", request.Headers.Host);
        socket.Options.SetRequestHeader("Origin", $"http://{request.Headers.Host}");
        var refusal = await Record.ExceptionAsync(() => socket.ConnectAsync(new Uri($"ws://{server.Pages.EndPoint}/dashboard/nats"), Ct));

        Assert.Contains($"\"allowed\":{(problem is null ? "true" : "false")}", text, StringComparison.Ordinal);
        if (problem is not null) Assert.Contains(problem, text, StringComparison.Ordinal);
        Assert.Equal(problem is null, refusal is null);
        Assert.Equal(problem is null ? HttpStatusCode.SwitchingProtocols : HttpStatusCode.Forbidden, socket.HttpStatusCode);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("null")]
    [InlineData("http://evil.example")]
    [InlineData("https://127.0.0.1:{port}")]
    [InlineData("http://127.0.0.1:1")]
    [InlineData("http://localhost:{port}")]
    [InlineData("file://")]
    public async Task Pages_of_others_do_not_connect(string? origin)
    {
        await using var server = await StartAsync("");
        using var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        if (origin is not null) socket.Options.SetRequestHeader("Origin", origin.Replace("{port}", $"{server.Pages.EndPoint!.Port}", StringComparison.Ordinal));

        await Assert.ThrowsAsync<WebSocketException>(() => socket.ConnectAsync(new Uri($"ws://{server.Pages.EndPoint}/dashboard/nats"), Ct));

        Assert.Equal(HttpStatusCode.Forbidden, socket.HttpStatusCode);
        Assert.Empty(server.Broker.State.OpenConnections(withSubscriptions: false));
    }

    [Fact]
    public async Task Broker_that_wants_certificates_of_clients_lets_no_page_act()
    {
        using var certificates = new TestCertificates();
        await using var server = await StartAsync(TlsBlock(certificates, "verify: true"));
        using var http = new HttpClient();

        var text = await http.GetStringAsync(new Uri($"http://{server.Pages.EndPoint}/dashboard/access"), Ct);

        Assert.Contains("identifies its clients by certificates", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Page_over_https_may_act_from_anywhere()
    {
        using var certificates = new TestCertificates();
        await using var server = await StartAsync(TlsBlock(certificates, "") + "authorization { user: a, password: b }", change: static options => (options.Monitoring.Port, options.Monitoring.HttpsPort) = (0, BrokerOptions.RandomPort));
        using var socket = new ClientWebSocket();
        var host = $"broker.example:{server.Pages.EndPoint!.Port}";
        socket.Options.SetRequestHeader("Host", host);
        socket.Options.SetRequestHeader("Origin", $"https://{host}");
        socket.Options.RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate!.GetSerialNumberString() == certificates.Server.SerialNumber;

        await socket.ConnectAsync(new Uri($"wss://{server.Pages.EndPoint}/dashboard/nats"), Ct);
        await socket.SendAsync("CONNECT {\"verbose\":false,\"user\":\"a\",\"pass\":\"b\"}\r\nPING\r\n"u8.ToArray(), WebSocketMessageType.Binary, true, Ct);

        Assert.Contains("PONG", await HearAsync(socket, "PONG"), StringComparison.Ordinal);
        Assert.Equal("127.0.0.1", Assert.Single(server.Broker.State.OpenConnections(withSubscriptions: false)).RemoteAddress);
    }

    [Fact]
    public async Task Page_that_reads_nothing_is_a_slow_consumer_and_page_that_leaves_is_gone()
    {
        await using var server = await StartAsync("max_pending: 1MB\nwrite_deadline: \"2s\"");
        using var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader("Origin", $"http://{server.Pages.EndPoint}");
        await socket.ConnectAsync(new Uri($"ws://{server.Pages.EndPoint}/dashboard/nats"), Ct);
        await socket.SendAsync(Encoding.ASCII.GetBytes("CONNECT {\"verbose\":false}\r\nSUB flood 1\r\nPING\r\n"), WebSocketMessageType.Binary, true, Ct);
        Assert.Contains("PONG", await HearAsync(socket, "PONG"), StringComparison.Ordinal);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [server.Broker.Url!] }, Ct);

        var payload = new byte[64 * 1024];
        while (server.Broker.State.OpenConnections(withSubscriptions: false).Count > 1)
        {
            await client.PublishAsync("flood", payload, ct: Ct);
            await client.FlushAsync(Ct);
        }

        Assert.Equal(1, server.Broker.State.ReadCounters().SlowConsumers);
    }

    [Fact]
    public async Task So_many_pages_act_at_a_time_and_one_that_leaves_makes_room()
    {
        await using var server = await StartAsync("");
        var pages = new List<ClientWebSocket>();
        for (var i = 0; i < 100; i++) pages.Add(await OpenAsync());

        var refusal = await Assert.ThrowsAsync<WebSocketException>(OpenAsync);
        await pages[0].CloseAsync(WebSocketCloseStatus.NormalClosure, null, Ct);
        while (server.Broker.State.OpenConnections(withSubscriptions: false).Count == pages.Count) await Task.Yield();
        pages[0].Dispose();
        pages[0] = await OpenEventuallyAsync();

        foreach (var page in pages) page.Dispose();
        Assert.Contains("503", refusal.Message, StringComparison.Ordinal);

        async Task<ClientWebSocket> OpenAsync()
        {
            var socket = new ClientWebSocket();
            socket.Options.SetRequestHeader("Origin", $"http://{server.Pages.EndPoint}");
            await socket.ConnectAsync(new Uri($"ws://{server.Pages.EndPoint}/dashboard/nats"), Ct);
            return socket;
        }

        // The request ends a moment after its connection.
        async Task<ClientWebSocket> OpenEventuallyAsync()
        {
            while (true)
            {
                try
                {
                    return await OpenAsync();
                }
                catch (WebSocketException) when (!Ct.IsCancellationRequested)
                {
                }
            }
        }
    }

    [Theory]
    [InlineData("PUB a 99999999\r\n", "Maximum Payload Violation")]
    [InlineData("NONSENSE\r\n", "Unknown Protocol Operation")]
    public async Task Page_has_the_limits_of_a_client(string text, string problem)
    {
        await using var server = await StartAsync("");
        using var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader("Origin", $"http://{server.Pages.EndPoint}");
        await socket.ConnectAsync(new Uri($"ws://{server.Pages.EndPoint}/dashboard/nats"), Ct);

        await socket.SendAsync(Encoding.ASCII.GetBytes("CONNECT {\"verbose\":false}\r\n" + text), WebSocketMessageType.Binary, true, Ct);

        Assert.Contains(problem, await HearAsync(socket, problem), StringComparison.Ordinal);
        Assert.Equal(WebSocketMessageType.Close, (await socket.ReceiveAsync(new byte[64], Ct)).MessageType);
    }

    [Fact]
    public async Task Page_that_does_not_sign_in_is_closed()
    {
        await using var server = await StartAsync("authorization { user: a, password: b, timeout: 0.2 }");
        using var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader("Origin", $"http://{server.Pages.EndPoint}");
        await socket.ConnectAsync(new Uri($"ws://{server.Pages.EndPoint}/dashboard/nats"), Ct);

        Assert.Contains("Authentication Timeout", await HearAsync(socket, "Timeout"), StringComparison.Ordinal);
        Assert.Equal(WebSocketMessageType.Close, (await socket.ReceiveAsync(new byte[64], Ct)).MessageType);
    }

    private static string TlsBlock(TestCertificates certificates, string more) => $$"""
        tls { cert_file: "{{certificates.ServerFile}}", key_file: "{{certificates.ServerKeyFile}}", ca_file: "{{certificates.CaFile}}", {{more}} }

        """;

    private static string SeedOf(NkeyPair key)
    {
        var text = new char[NkeyPair.SeedLength];
        key.WriteSeed(text);
        return new string(text);
    }

    private static string UrlOf(Served server) => $"nats://app:app@{server.Broker.EndPoint}";

    private static async Task<string> HearAsync(ClientWebSocket socket, string end)
    {
        var (text, buffer) = (new StringBuilder(), new byte[4096]);
        while (!text.ToString().Contains(end, StringComparison.Ordinal))
        {
            var result = await socket.ReceiveAsync(buffer, Ct);
            text.Append(Encoding.UTF8.GetString(buffer, 0, result.Count));
        }

        return text.ToString();
    }

    // Messages for as long as the story lasts; returns how many.
    private static async Task<long> PublishAsync(NatsClient client, CancellationToken ct)
    {
        var context = client.CreateJetStreamContext();
        await context.CreateStreamAsync(new StreamConfig { Name = "LOAD", Subjects = ["load"], Storage = StreamStorage.Memory, MaxMessages = 1_000 }, Ct);
        // 2,000 a second: the story itself needs the processor, too.
        using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        var count = 0L;
        try
        {
            while (await pace.WaitForNextTickAsync(ct))
            {
                for (var i = 0; i < 20; i++)
                    await context.PublishAsync("load", count++, ct: Ct);
            }
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The story has ended.
        }

        return count;
    }

    // A client that the consumer has pinned.
    private static async Task WorkAsync(NatsClient client, CancellationToken ct)
    {
        var consumer = await client.CreateJetStreamContext().GetConsumerAsync("ORDERS", "pinned", ct: Ct);
        try
        {
            await foreach (var message in consumer.ConsumeAsync<byte[]>(new ConsumeOptions { Group = "jobs" }, ct: ct))
                await message.AckAsync(Ct);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The story has ended.
        }
    }

    private static async Task FillAsync(NatsClient client)
    {
        var context = client.CreateJetStreamContext();
        await context.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        for (var i = 1; i <= 3; i++)
            await context.PublishAsync($"orders.{i}", Encoding.UTF8.GetBytes($$"""{"n":{{i}}}"""), headers: new NatsHeaders { { "Colour", "<img src=x onerror=hack()>" } }, ct: Ct);
        var orders = await context.GetStreamAsync("ORDERS", ct: Ct);
        await orders.CreateConsumerAsync(new ConsumerConfig { DurableName = "billing" }, Ct);
        await orders.CreateConsumerAsync(new ConsumerConfig { DurableName = "pinned", PriorityPolicy = PriorityPolicy.PinnedClient, PriorityGroups = ["jobs"], PriorityTimeout = TimeSpan.FromMinutes(1) }, Ct);
        var settings = await client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "settings" }, Ct);
        await settings.PutAsync("colour", "red", ct: Ct);
        var files = await client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "files" }, Ct);
        await files.PutAsync("report.txt", "all is well"u8.ToArray(), ct: Ct);
    }

    private async Task<Served> StartAsync(string configuration, bool allowsActions = true, Action<BrokerOptions>? change = null)
    {
        var file = Path.Combine(_folder.FullName, "server.conf");
        await File.WriteAllTextAsync(file, configuration + "\nmax_payload: 1MB\n", Ct);
        var options = new BrokerOptions();
        ConfigurationFile.Apply(file, options);
        options.Port = BrokerOptions.RandomPort;
        options.Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort, DashboardActions = allowsActions };
        change?.Invoke(options);
        var pages = new HttpMonitoring();
        return new Served(await NatsBroker.StartAsync(options, [pages], Ct), pages);
    }

    private sealed record Served(NatsBroker Broker, HttpMonitoring Pages) : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => Broker.DisposeAsync();
    }
}
