using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Monitoring;
using Postrider.Client;
using Postrider.Sockets;

namespace Postrider.SystemTests.Tls;

/// <summary>How a connection comes to TLS, and who may go on without.</summary>
public sealed class TlsUpgradeTests : TlsScenario
{
    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Client_without_options_upgrades_and_refuses_an_authority_that_it_does_not_know(EngineKind engine)
    {
        await using var broker = await StartAsync(Files, options => options.Engine = engine);

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync($"nats://localhost:{broker.EndPoint!.Port}"));

        Assert.Equal(NatsErrorCode.TlsHandshakeFailed, refused.Code);
        Assert.EndsWith(": PartialChain. This machine does not know the authority that has issued the server's certificate: set TlsOptions.CaFile to the file of the authority.", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Both_kinds_of_clients_are_served_where_that_is_allowed(EngineKind engine)
    {
        await using var broker = await StartAsync(Files, options => (options.Engine, options.AllowNonTls) = (engine, true));
        await using var plain = await NatsClient.ConnectAsync($"nats://127.0.0.1:{broker.EndPoint!.Port}");
        await using var secure = await ConnectAsync(broker, Trusting);
        await using var subscription = plain.Subscribe<string>("both");
        await plain.FlushAsync();

        await secure.PublishAsync("both", "from TLS");

        await foreach (var message in subscription)
        {
            Assert.Equal("from TLS", message.Data);
            break;
        }
        Assert.StartsWith("nats://", broker.Url, StringComparison.Ordinal);
        Assert.Equal([null, "1.3"], Open(broker).OrderBy(static one => one.Id).Select(static one => one.TlsVersion));
    }

    [Fact]
    public async Task Client_that_requires_TLS_refuses_a_server_without_it()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
        var port = broker.EndPoint!.Port;

        var byAddress = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync($"tls://127.0.0.1:{port}"));
        var byOption = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync($"nats://127.0.0.1:{port}", options => options.Tls = Trusting));

        Assert.Equal(NatsErrorCode.ServerRequirement, byAddress.Code);
        Assert.Equal($"The server 127.0.0.1:{port} does not offer TLS, which its address requires.", byAddress.Message);
        Assert.Equal($"The server 127.0.0.1:{port} does not offer TLS, which ClientOptions.Tls requires.", byOption.Message);
    }

    [Fact]
    public async Task Client_takes_nothing_that_came_in_the_clear_behind_INFO()
    {
        using var listener = new TcpListener(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        var serving = Task.Run(async () =>
        {
            using var socket = await listener.AcceptSocketAsync();
            await socket.SendAsync("INFO {\"tls_required\":true}\r\nPONG\r\n"u8.ToArray());
            return await ReadToEndAsync(socket);
        });

        var refused = await Assert.ThrowsAsync<NatsClientException>(
            () => NatsClient.ConnectAsync($"nats://{listener.LocalEndpoint}", options => options.Tls = new TlsOptions { Insecure = true }));

        Assert.Equal(NatsErrorCode.ProtocolViolation, refused.Code);
        Assert.Equal("", await serving.WaitAsync(Patience));
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Handshake_comes_first_where_that_is_asked_for(EngineKind engine)
    {
        await using var broker = await StartAsync(Files with { HandshakeFirst = true, Timeout = TimeSpan.FromSeconds(1) }, options => options.Engine = engine);

        await using var client = await ConnectAsync(broker, Trusting with { HandshakeFirst = true });
        await client.PingAsync();
        using var waiting = await DialAsync(broker);

        Assert.Equal("", await ReadToEndAsync(waiting));
        Assert.True(Open(broker)[0].TlsFirst);
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Handshake_may_come_first_or_after_INFO_with_a_fallback(EngineKind engine)
    {
        var tls = Files with { HandshakeFirst = true, HandshakeFirstFallback = TimeSpan.FromSeconds(2) };
        await using var broker = await StartAsync(tls, options => options.Engine = engine);

        await using var first = await ConnectAsync(broker, Trusting with { HandshakeFirst = true });
        await using var after = await ConnectAsync(broker, Trusting);
        await first.PingAsync();
        await after.PingAsync();

        Assert.Equal([true, false], Open(broker).OrderBy(static one => one.Id).Select(static one => one.TlsFirst));
    }

    [Fact]
    public async Task Rate_of_handshakes_is_limited()
    {
        await using var broker = await StartAsync(Files with { ConnectionRateLimit = 3 });
        var answers = new List<string>();

        for (var i = 0; i < 6; i++)
        {
            using var socket = await DialAsync(broker);
            await ReadLineAsync(socket);
            socket.Shutdown(SocketShutdown.Send);
            answers.Add(await ReadToEndAsync(socket));
        }

        Assert.Contains("-ERR 'Connection throttling is active. Please try again later.'\r\n", answers);
        Assert.InRange(answers.Count(static answer => answer.Length == 0), 3, 5);
    }

    [Fact]
    public async Task Client_reconnects_with_TLS()
    {
        var port = 0;
        await using (var first = await StartAsync(Files)) port = first.EndPoint!.Port;
        var options = new BrokerOptions { Port = port, Tls = Files };
        var broker = await NatsBroker.StartAsync(options);
        await using var client = await ConnectAsync(broker, Trusting, static options => options.ReconnectDelay = TimeSpan.FromMilliseconds(20));
        await using var subscription = client.Subscribe<string>("after");
        await client.FlushAsync();

        await broker.DisposeAsync();
        await using var again = await NatsBroker.StartAsync(options);
        await Eventually.HoldsAsync(() => client.Statistics.Reconnects == 1);
        await client.PublishAsync("after", "reconnect");

        await foreach (var message in subscription)
        {
            Assert.Equal("reconnect", message.Data);
            break;
        }
        Assert.Equal("1.3", Open(again)[0].TlsVersion);
    }

    [Fact]
    public async Task Client_in_the_same_process_needs_no_TLS()
    {
        await using var broker = await StartAsync(Files);
        await using var client = await NatsClient.ConnectAsync("nats://here", options => options.Connector = broker.Connector);

        await client.PingAsync();

        Assert.False(client.ServerInfo!.TlsRequired);
    }
}
