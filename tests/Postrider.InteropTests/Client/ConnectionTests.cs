using System.Collections.Concurrent;
using Postrider.Client;

namespace Postrider.InteropTests.Client;

public sealed class ConnectionTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    [Fact]
    public async Task Server_that_is_not_there_is_an_error_with_its_address()
    {
        var error = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync("127.0.0.1:1", ct: _ct));

        Assert.Equal(NatsErrorCode.ConnectionFailed, error.Code);
        Assert.Contains("127.0.0.1:1", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task First_server_that_answers_is_taken()
    {
        await using var server = await GoServer.StartAsync();

        await using var client = await NatsClient.ConnectAsync($"127.0.0.1:1, {server.Url}", ct: _ct);

        Assert.Equal($"127.0.0.1:{server.Port}", client.ConnectedServer);
        Assert.Equal("2.15.1", client.ServerInfo!.Version);
        Assert.InRange((await client.PingAsync(_ct)).TotalMilliseconds, 0.001, 5_000);
    }

    [Theory]
    [InlineData("alice:secret@", null, null, null, true)]
    [InlineData("", "alice", "secret", null, true)]
    [InlineData("", "alice", "wrong", null, false)]
    [InlineData("", null, null, null, false)]
    public async Task User_and_password_are_shown(string inUrl, string? user, string? password, string? token, bool accepted)
    {
        await using var server = await GoServer.StartAsync("authorization { user: alice, password: secret }");

        await AssertAcceptedAsync($"nats://{inUrl}127.0.0.1:{server.Port}", user, password, token, accepted);
    }

    [Theory]
    [InlineData("s3cret@", null, true)]
    [InlineData("", "s3cret", true)]
    [InlineData("", "other", false)]
    public async Task Token_is_shown(string inUrl, string? token, bool accepted)
    {
        await using var server = await GoServer.StartAsync("authorization { token: s3cret }");

        await AssertAcceptedAsync($"nats://{inUrl}127.0.0.1:{server.Port}", null, null, token, accepted);
    }

    [Fact]
    public async Task Refused_publish_and_subscription_are_told()
    {
        await using var server = await GoServer.StartAsync(
            "authorization { users: [ { user: u, password: p, permissions: { publish: \"open.>\", subscribe: [\"open.>\", \"_INBOX.>\"] } } ] }");
        await using var client = await NatsClient.ConnectAsync($"nats://u:p@127.0.0.1:{server.Port}", ct: _ct);
        var told = new BlockingCollection<ClientEvent>();
        client.EventOccurred += occurred =>
        {
            if (occurred.Kind == ClientEventKind.PermissionDenied) told.Add(occurred);
        };

        var refused = client.Subscribe<string>("closed.door");
        var ended = await Assert.ThrowsAsync<NatsClientException>(async () => await refused.ReadAsync(_ct));
        await client.PublishAsync("closed.window", "x", ct: _ct);
        await client.FlushAsync(_ct);
        var request = await Assert.ThrowsAsync<NatsClientException>(async () => await client.RequestAsync<string, string>("closed.request", "x", ct: _ct));

        Assert.Equal(NatsErrorCode.PermissionDenied, ended.Code);
        Assert.Equal(NatsErrorCode.PermissionDenied, request.Code);
        Assert.Equal("closed.door", told.Take(_ct).Subject);
        Assert.Equal("closed.window", told.Take(_ct).Subject);
        Assert.Equal(ConnectionState.Connected, client.State);
    }

    [Fact]
    public async Task Lost_connection_comes_back_with_subscriptions_and_what_was_published_meanwhile()
    {
        var server = await GoServer.StartAsync();
        await using var client = await NatsClient.ConnectAsync(server.Url, Quick, _ct);
        var events = Record(client);
        await using var subscription = client.Subscribe<string>("after.*");
        var limited = client.Subscribe<string>("limited", options: new SubscriptionOptions { MaxMessages = 2 });
        await client.PublishAsync("limited", "one", ct: _ct);
        await client.FlushAsync(_ct);
        var port = server.Port;

        await server.KillAsync();
        await server.DisposeAsync();
        await events.AwaitAsync(ClientEventKind.Disconnected, _ct);
        await client.PublishAsync("after.loss", "kept", ct: _ct);
        await client.PublishAsync("limited", "two", ct: _ct);
        await client.PublishAsync("limited", "three", ct: _ct);
        await using var again = await GoServer.StartAsync(port: port);
        await events.AwaitAsync(ClientEventKind.Reconnected, _ct);

        Assert.Equal("kept", (await subscription.ReadAsync(_ct)).Data);
        var few = new List<string>();
        await foreach (var message in limited.WithCancellation(_ct)) few.Add(message.Data);
        Assert.Equal(["one", "two"], few);
        Assert.Equal(1, client.Statistics.Reconnects);
    }

    [Fact]
    public async Task Reconnect_buffer_is_bounded()
    {
        var server = await GoServer.StartAsync();
        await using var client = await NatsClient.ConnectAsync(server.Url, options => options.ReconnectBufferBytes = 1000, _ct);
        var events = Record(client);

        await server.DisposeAsync();
        await events.AwaitAsync(ClientEventKind.Disconnected, _ct);
        await client.PublishAsync("x", new byte[900], ct: _ct);
        var error = await Assert.ThrowsAsync<NatsClientException>(async () => await client.PublishAsync("x", new byte[900], ct: _ct));

        Assert.Equal(NatsErrorCode.ReconnectBufferFull, error.Code);
    }

    [Fact]
    public async Task Server_that_answers_no_ping_is_left()
    {
        await using var server = await GoServer.StartAsync();
        await using var client = await NatsClient.ConnectAsync(
            server.Url,
            options =>
            {
                Quick(options);
                options.PingInterval = TimeSpan.FromMilliseconds(150);
                options.ConnectTimeout = TimeSpan.FromSeconds(1);
            },
            _ct);
        var events = Record(client);

        server.Freeze();
        var lost = await events.AwaitAsync(ClientEventKind.Disconnected, _ct);
        server.Thaw();
        await events.AwaitAsync(ClientEventKind.Reconnected, _ct);

        Assert.Equal(NatsErrorCode.StaleConnection, ((NatsClientException)lost.Error!).Code);
    }

    [Fact]
    public async Task Client_that_may_not_reconnect_closes()
    {
        var server = await GoServer.StartAsync();
        await using var client = await NatsClient.ConnectAsync(server.Url, options => options.Reconnect = false, _ct);
        var events = Record(client);
        var subscription = client.Subscribe<string>("x");

        await server.DisposeAsync();
        await events.AwaitAsync(ClientEventKind.Closed, _ct);

        Assert.Equal(ConnectionState.Closed, client.State);
        await Assert.ThrowsAsync<NatsClientException>(async () => await subscription.ReadAsync(_ct));
        await Assert.ThrowsAsync<NatsClientException>(async () => await client.PublishAsync("x", "y", ct: _ct));
    }

    [Fact]
    public async Task First_connection_may_be_retried()
    {
        await using var placeholder = await GoServer.StartAsync();
        var port = placeholder.Port;
        await placeholder.KillAsync();

        var connecting = NatsClient.ConnectAsync($"127.0.0.1:{port}", options =>
        {
            Quick(options);
            options.RetryFirstConnect = true;
        }, _ct);
        await using var server = await GoServer.StartAsync(port: port);
        await using var client = await connecting;

        Assert.Equal(ConnectionState.Connected, client.State);
    }

    [Fact]
    public async Task Events_are_a_stream_too()
    {
        await using var server = await GoServer.StartAsync();
        var client = await NatsClient.ConnectAsync(server.Url, ct: _ct);
        var kinds = new List<ClientEventKind>();
        var reading = Task.Run(async () =>
        {
            // Whether the reader is early enough for Connected is chance.
            await foreach (var told in client.ReadEventsAsync(_ct))
                if (told.Kind != ClientEventKind.Connected) kinds.Add(told.Kind);
        });

        await Eventually.HoldsAsync(async () =>
        {
            var refused = client.Subscribe<string>("dropped", options: new SubscriptionOptions { Capacity = 1 });
            for (var i = 0; i < 3; i++) await client.PublishAsync("dropped", "x", ct: _ct);
            await client.FlushAsync(_ct);
            await refused.DisposeAsync();
            return kinds.Count > 0;
        });
        await client.DisposeAsync();
        await reading.WaitAsync(_ct);

        Assert.Equal(ClientEventKind.SlowConsumer, kinds[0]);
        Assert.Equal(ClientEventKind.Closed, kinds[^1]);
    }

    private static void Quick(ClientOptions options)
    {
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(100);
    }

    private static EventRecord Record(NatsClient client) => new(client);

    private async Task AssertAcceptedAsync(string url, string? user, string? password, string? token, bool accepted)
    {
        var connecting = NatsClient.ConnectAsync(url, options => (options.User, options.Password, options.Token) = (user, password, token), _ct);
        if (accepted)
        {
            await using var client = await connecting;
            await client.FlushAsync(_ct);
            return;
        }
        Assert.Equal(NatsErrorCode.AuthorizationFailed, (await Assert.ThrowsAsync<NatsClientException>(() => connecting)).Code);
    }
}
