using Postrider.Broker;
using Postrider.Client;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class NatsSessionTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Server_that_ends_each_connection_is_not_connected_to_without_a_pause()
    {
        var delay = TimeSpan.FromHours(1);
        var time = new RecordingTime(delay / 2);
        var server = new ScriptedServer(ScriptedServer.Info, "PONG\r\n", closes: true);
        await using var client = NatsClient.Create(new ClientOptions
        {
            Connector = server,
            RetryFirstConnect = true,
            ReconnectDelay = delay,
            MaxReconnectDelay = delay,
            TimeProvider = time,
        });
        var opening = client.OpenAsync();

        await time.LongTimer.WaitAsync(Patience);

        await client.DisposeAsync();
        await Record.ExceptionAsync(() => opening);
        Assert.InRange(client.Statistics.Reconnects, 0, 2);
    }

    [Theory]
    [InlineData(-1, 0, 1, "SubscriptionOptions.MaxMessages is -1; it must be at least 1, or 0 for no limit.")]
    [InlineData(0, -2, 1, "SubscriptionOptions.Capacity is -2; it must be at least 1, or 0 for the client's.")]
    [InlineData(0, 0, 0, "SubscriptionOptions.Concurrency is 0; it must be at least 1.")]
    public async Task Options_of_a_subscription_are_checked(long messages, int capacity, int concurrency, string message)
    {
        await using var client = NatsClient.Create(new ClientOptions());

        var refused = Assert.Throws<NatsClientException>(
            () => client.Subscribe<int>("a", options: new SubscriptionOptions { MaxMessages = messages, Capacity = capacity, Concurrency = concurrency }));

        Assert.Equal((NatsErrorCode.InvalidOption, message), (refused.Code, refused.Message));
    }

    [Fact]
    public async Task Times_beyond_those_of_timers_are_refused_by_name()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });

        var single = await Assert.ThrowsAsync<NatsClientException>(async () => await client.RequestAsync<int>("a", TimeSpan.MaxValue));
        var many = await Assert.ThrowsAsync<NatsClientException>(
            async () => await client.RequestManyAsync<int, int>("a", 1, new RequestManyOptions { Timeout = TimeSpan.FromDays(50) }).GetAsyncEnumerator().MoveNextAsync());

        Assert.StartsWith("timeout is 10675199.02:48:05.4775807; it must be from 0 to 24.20:31:23.6470000, or infinite.", single.Message, StringComparison.Ordinal);
        Assert.StartsWith("RequestManyOptions.Timeout is 50.00:00:00; ", many.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Client_without_a_socket_names_the_broker_and_one_with_a_socket_its_address()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, ServerName = "embedded" });
        await using var inside = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
        await using var outside = await NatsClient.ConnectAsync(broker.Url!);

        Assert.Equal(("embedded", $"127.0.0.1:{broker.EndPoint!.Port}"), (inside.ConnectedServer, outside.ConnectedServer));
    }

    [Fact]
    public async Task A_connection_that_ends_as_soon_as_it_is_made_is_told_and_not_waited_on()
    {
        var server = new ScriptedServer(ScriptedServer.Info, "PONG\r\n", closes: true);
        for (var round = 0; round < 200; round++)
        {
            var ended = await Assert.ThrowsAsync<NatsClientException>(async () =>
            {
                await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = server, Reconnect = false }).WaitAsync(Patience);
                await client.PingAsync().WaitAsync(Patience);
            });

            Assert.Contains(ended.Code, new[] { NatsErrorCode.ConnectionLost, NatsErrorCode.ClientClosed });
        }
    }

    [Fact]
    public async Task A_server_that_answers_before_it_says_who_it_is_is_refused()
    {
        var server = new ScriptedServer("PONG\r\n", "", closes: false);

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(new ClientOptions { Connector = server }).WaitAsync(Patience));

        Assert.Equal(NatsErrorCode.ProtocolViolation, refused.Code);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Drain_without_a_connection_waits_for_one_and_sends_what_was_published_meanwhile(bool hasEmptyHeaders)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        await using var listener = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
        await using var heard = listener.Subscribe<string>("late");
        await listener.FlushAsync();
        var gate = new Gate(broker.Connector);
        var lost = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = gate, ReconnectDelay = TimeSpan.FromMilliseconds(10), DrainTimeout = Patience });
        client.EventOccurred += told =>
        {
            if (told.Kind == ClientEventKind.Disconnected) lost.TrySetResult();
        };
        gate.Shut();
        await lost.Task.WaitAsync(Patience);

        await client.PublishAsync("late", "still", headers: hasEmptyHeaders ? new NatsHeaders() : null);
        var draining = client.DrainAsync();
        gate.Open();
        await draining.WaitAsync(Patience);

        using var patience = new CancellationTokenSource(Patience);
        Assert.Equal("still", (await heard.ReadAsync(patience.Token)).Data);
        Assert.Equal(ConnectionState.Closed, client.State);
    }

    [Fact]
    public async Task Publishing_while_the_client_drains_ends_in_an_error_and_loses_nothing_from_before()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        await using var listener = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
        for (var round = 0; round < 20; round++)
        {
            // A subject of its own: what was published behind the drain may come as late as it likes.
            var subject = $"many.{round}";
            await using var heard = listener.Subscribe<int>(subject);
            await listener.FlushAsync();
            var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
            using var began = new ManualResetEventSlim();
            var publishing = Task.Run(async () =>
            {
                for (var i = 0; ; i++)
                {
                    try
                    {
                        await client.PublishAsync(subject, i);
                    }
                    catch (NatsClientException error)
                    {
                        return error.Code;
                    }
                    if (i == 100) began.Set();
                    // Not more than the listener's queue holds.
                    if (i > 5_000) await Task.Delay(1);
                }
            });
            Assert.True(began.Wait(Patience));

            await client.DrainAsync().WaitAsync(Patience);

            Assert.Equal(NatsErrorCode.ClientClosed, await publishing.WaitAsync(Patience));
            using var patience = new CancellationTokenSource(Patience);
            for (var i = 0; i <= 100; i++) Assert.Equal(i, (await heard.ReadAsync(patience.Token)).Data);
        }
    }
}
