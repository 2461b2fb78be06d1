using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Configuration;

namespace Postrider.HostingTests.Client;

public sealed class ClientHostTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string, string, string> Mistakes => new()
    {
        { "Server", "nats://x", "Postrider:Client:Server is not a known key. Did you mean 'Servers'?" },
        { "Servers", "http://localhost", "Postrider:Client:Servers has 'http://localhost'; a server must be an address such as nats://localhost:4222 or tls://nats.example:4222." },
        { "Servers", "nats://127.0.0.1:abc", "Postrider:Client:Servers has 'nats://127.0.0.1:abc'; a server must be an address such as nats://localhost:4222 or tls://nats.example:4222." },
        { "Servers", "", "Postrider:Client:Servers is empty; it must have the address of a server, such as nats://localhost:4222. Remove the key for the server on this machine, or for the broker in the process." },
        { "Servers", " , ", "Postrider:Client:Servers is empty; it must have the address of a server, such as nats://localhost:4222. Remove the key for the server on this machine, or for the broker in the process." },
        { "Servers:0", "", "Postrider:Client:Servers:0 is empty; it must be a text." },
        { "ConnectTimeout", "5", "Postrider:Client:ConnectTimeout is '5'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30." },
        { "RequestTimeout", "long", "Postrider:Client:RequestTimeout is 'long'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30." },
        { "DrainTimeout", "1y", "Postrider:Client:DrainTimeout is '1y'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30." },
        { "MaxReconnectAttempts", "-2", "Postrider:Client:MaxReconnectAttempts is '-2'; it must be a whole number from -1 to 2147483647." },
        { "MaxPingsOutstanding", "0", "Postrider:Client:MaxPingsOutstanding is '0'; it must be a whole number from 1 to 2147483647." },
        { "ReconnectBufferBytes", "8Mb/s", "Postrider:Client:ReconnectBufferBytes is '8Mb/s'; it must be a size such as 65536, 64KB or 16MB, at most 2147483647 bytes." },
        { "ReconnectBufferBytes", "4GB", "Postrider:Client:ReconnectBufferBytes is '4GB'; it must be a size such as 65536, 64KB or 16MB, at most 2147483647 bytes." },
        { "SubscriptionCapacity", "none", "Postrider:Client:SubscriptionCapacity is 'none'; it must be a whole number from 1 to 2147483647." },
        { "SlowConsumerPolicy", "Drop", "Postrider:Client:SlowConsumerPolicy is 'Drop'; it must be DropNewest or DropOldest or Wait." },
        { "SlowConsumerPolicy", "+1", "Postrider:Client:SlowConsumerPolicy is '+1'; it must be DropNewest or DropOldest or Wait." },
        { "SlowConsumerPolicy", "Wait,DropNewest", "Postrider:Client:SlowConsumerPolicy is 'Wait,DropNewest'; it must be DropNewest or DropOldest or Wait." },
        { "SlowConsumerPolicy", "1", "Postrider:Client:SlowConsumerPolicy is '1'; it must be DropNewest or DropOldest or Wait." },
        { "Echo", "on", "Postrider:Client:Echo is 'on'; it must be true or false." },
        { "Reconnect", "2", "Postrider:Client:Reconnect is '2'; it must be true or false." },
        { "RandomizeServers", "maybe", "Postrider:Client:RandomizeServers is 'maybe'; it must be true or false." },
        { "ReconnectDelay", "1h", "Postrider:Client:ReconnectDelay is longer than MaxReconnectDelay; it must not exceed it." },
        { "Tls", "true", "Postrider:Client:Tls is 'true'; it must have keys of its own." },
        { "Tls:CaFile", "/no/such/ca.pem", "Postrider:Client:Tls:CaFile is '/no/such/ca.pem'; there is no such file." },
        { "Tls:Insecur", "true", "Postrider:Client:Tls:Insecur is not a known key. Did you mean 'Insecure'?" },
        { "Tls:HandshakeFirst", "auto", "Postrider:Client:Tls:HandshakeFirst is 'auto'; it must be true or false." },
        { "Zone:Name", "x", "Postrider:Client:Zone is not a known key. Did you mean 'Name'?" },
    };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public void Mistake_in_the_configuration_names_its_key(string key, string value, string expected)
    {
        using var host = Build(builder => builder.AddPostriderClient(), ("Postrider:Client:" + key, value));

        var failure = Assert.Throws<InvalidConfigurationException>(() => host.Services.GetRequiredService<NatsClient>());

        Assert.Equal(expected, failure.Message);
    }

    [Fact]
    public void Empty_list_of_servers_is_not_the_server_on_this_machine()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddJsonStream(new MemoryStream("""{ "Postrider": { "Client": { "Servers": [] } } }"""u8.ToArray()));
        builder.AddPostriderClient();
        using var host = builder.Build();

        var failure = Assert.Throws<InvalidConfigurationException>(() => host.Services.GetRequiredService<NatsClient>());

        Assert.StartsWith("Postrider:Client:Servers is empty;", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("InboxPrefix", "_IN BOX", "Postrider:Client:InboxPrefix is '_IN BOX'; it must be a subject such as _INBOX_orders, without wildcards, spaces and empty tokens.")]
    [InlineData("InboxPrefix", "_INBOX.>", "Postrider:Client:InboxPrefix is '_INBOX.>'; it must be a subject such as _INBOX_orders, without wildcards, spaces and empty tokens.")]
    [InlineData("Password", "p", "Postrider:Client:Password is set without Postrider:Client:User: set both.")]
    [InlineData("ConnectTimeout", "30d", "Postrider:Client:ConnectTimeout is 30.00:00:00; it must not exceed 24.20:31:23.6470000, the limit of timers.")]
    [InlineData("RequestTimeout", "30d", "Postrider:Client:RequestTimeout is 30.00:00:00; it must not exceed 24.20:31:23.6470000, the limit of timers.")]
    [InlineData("DrainTimeout", "30d", "Postrider:Client:DrainTimeout is 30.00:00:00; it must not exceed 24.20:31:23.6470000, the limit of timers.")]
    [InlineData("PingInterval", "30d", "Postrider:Client:PingInterval is 30.00:00:00; it must not exceed 24.20:31:23.6470000, the limit of timers.")]
    [InlineData("MaxReconnectDelay", "30d", "Postrider:Client:MaxReconnectDelay is 30.00:00:00; it must not exceed 24.20:31:23.6470000, the limit of timers.")]
    public void Option_that_cannot_work_names_its_key(string key, string value, string expected)
    {
        using var host = Build(builder => builder.AddPostriderClient(), ("Postrider:Client:" + key, value));

        var failure = Assert.Throws<NatsClientException>(() => host.Services.GetRequiredService<NatsClient>());

        Assert.Equal(expected, failure.Message);
    }

    [Theory]
    [InlineData("Servers", "Servers:0", "nats://x", "Postrider:Client:Servers is 'nats://x' and also has keys of its own, such as Postrider:Client:Servers:0; set one of them.")]
    [InlineData("Name", "Name:First", "x", "Postrider:Client:Name has keys of its own; it must be a single value.")]
    [InlineData("Tls", "Tls:Insecure", "true", "Postrider:Client:Tls is 'true' and also has keys of its own, such as Postrider:Client:Tls:Insecure; set one of them.")]
    public void Value_and_keys_of_the_same_name_contradict_each_other(string key, string other, string value, string expected)
    {
        using var host = Build(builder => builder.AddPostriderClient(), ("Postrider:Client:" + key, value), ("Postrider:Client:" + other, value));

        var failure = Assert.Throws<InvalidConfigurationException>(() => host.Services.GetRequiredService<NatsClient>());

        Assert.Equal(expected, failure.Message);
    }

    [Fact]
    public void Text_instead_of_the_section_is_a_mistake()
    {
        using var host = Build(builder => builder.AddPostriderClient(), ("Postrider:Client", "nats://x"));

        var failure = Assert.Throws<InvalidConfigurationException>(() => host.Services.GetRequiredService<NatsClient>());

        Assert.Equal("Postrider:Client is 'nats://x'; it must have keys of its own.", failure.Message);
    }

    [Fact]
    public void Section_of_a_named_client_is_within_that_of_the_client_without_a_name()
    {
        using var host = Build(
            builder => builder.AddPostriderClient().AddPostriderClient("orders"),
            ("Postrider:Client:Name", "desk"), ("Postrider:Client:orders:Name", "second"));

        Assert.Equal("desk", host.Services.GetRequiredService<NatsClient>().Options.Name);
        Assert.Equal("second", host.Services.GetRequiredKeyedService<NatsClient>("orders").Options.Name);
    }

    [Theory]
    [InlineData("tls")]
    [InlineData("CredentialsFile")]
    public void Name_of_an_option_cannot_name_a_client(string name)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);

        var failure = Assert.Throws<InvalidOperationException>(() => builder.AddPostriderClient(name));

        Assert.Equal($"A client cannot be named '{name}': Postrider:Client:{name} is an option of the client without a name. Choose another name.", failure.Message);
    }

    [Fact]
    public async Task Client_is_connected_when_services_start()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        using var host = Build(
            builder =>
            {
                builder.AddPostriderClient();
                builder.Services.AddHostedService<Worker>();
            },
            ("Postrider:Client:Servers", broker.Url!), ("Postrider:Client:Name", "worker"));

        await host.StartAsync(Ct);

        var worker = host.Services.GetServices<IHostedService>().OfType<Worker>().Single();
        Assert.Equal(ConnectionState.Connected, worker.StateAtStart);
        await host.StopAsync(Ct);
        Assert.Equal(ConnectionState.Closed, host.Services.GetRequiredService<NatsClient>().State);
    }

    [Fact]
    public async Task Host_does_not_start_without_a_server()
    {
        using var host = Build(builder => builder.AddPostriderClient("orders"), ("Postrider:Client:orders:Servers", "nats://127.0.0.1:1"));

        var failure = await Assert.ThrowsAsync<NatsClientException>(() => host.StartAsync(Ct));

        Assert.StartsWith("The NATS client 'orders' did not connect: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains("127.0.0.1:1", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith("Check Postrider:Client:orders:Servers, or set Postrider:Client:orders:RetryFirstConnect to start without a server.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Host_starts_without_a_server_when_it_may_and_sends_what_waited()
    {
        var port = FreePort.Find();
        using var host = Build(
            builder =>
            {
                builder.AddPostriderClient(options => options.MaxReconnectDelay = TimeSpan.FromMilliseconds(100));
                builder.Services.AddHealthChecks().AddPostriderClient();
            },
            ("Postrider:Client:Servers", $"nats://127.0.0.1:{port}"), ("Postrider:Client:RetryFirstConnect", "true"));
        await host.StartAsync(Ct);
        var client = host.Services.GetRequiredService<NatsClient>();
        await client.PublishAsync("late", "one", ct: Ct);
        Assert.Equal(HealthStatus.Degraded, await HealthAsync(host));

        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = port }, Ct);
        await Eventually.HoldsAsync(() => client.State == ConnectionState.Connected);

        await client.FlushAsync(Ct);
        Assert.Equal(1, client.Statistics.SentMessages);
        Assert.Equal(HealthStatus.Healthy, await HealthAsync(host));
        await host.StopAsync(Ct);
        Assert.Equal(HealthStatus.Unhealthy, await HealthAsync(host));
    }

    [Fact]
    public async Task What_runs_ends_before_the_client_is_closed()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        using var host = Build(builder => builder.AddPostriderClient(), ("Postrider:Client:Servers", broker.Url!));
        await host.StartAsync(Ct);
        var client = host.Services.GetRequiredService<NatsClient>();
        var began = new TaskCompletionSource();
        var handled = 0;
        _ = client.Subscribe<string>("work", async (_, _) =>
        {
            began.TrySetResult();
            await Task.Yield();
            handled++;
        });
        for (var i = 0; i < 1000; i++)
            await client.PublishAsync("work", "item", ct: Ct);
        await began.Task.WaitAsync(Ct);

        await host.StopAsync(Ct);

        Assert.Equal(1000, handled);
    }

    [Fact]
    public async Task Clients_with_names_are_kept_apart()
    {
        await using var one = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        await using var other = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        using var host = Build(
            builder => builder.AddPostriderClient("one").AddPostriderClient("other"),
            ("Postrider:Client:one:Servers", one.Url!), ("Postrider:Client:other:Servers", other.Url!));

        await host.StartAsync(Ct);

        Assert.Equal(one.EndPoint!.ToString(), host.Services.GetRequiredKeyedService<NatsClient>("one").ConnectedServer);
        Assert.Equal(other.EndPoint!.ToString(), host.Services.GetRequiredKeyedService<NatsClient>("other").ConnectedServer);
        await host.StopAsync(Ct);
    }

    [Fact]
    public void Same_name_twice_is_refused()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddPostriderClient().AddPostriderClient("orders");

        Assert.Equal(
            "AddPostriderClient was called twice without a name. Give one of the clients a name.",
            Assert.Throws<InvalidOperationException>(() => builder.AddPostriderClient()).Message);
        Assert.Equal(
            "AddPostriderClient was called twice with the name 'orders'.",
            Assert.Throws<InvalidOperationException>(() => builder.AddPostriderClient("orders")).Message);
    }

    private static async Task<HealthStatus> HealthAsync(IHost host)
        => (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct)).Status;

    private static IHost Build(Action<HostApplicationBuilder> configure, params (string Key, string Value)[] settings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(settings.ToDictionary(static setting => setting.Key, static setting => (string?)setting.Value, StringComparer.Ordinal));
        builder.Services.AddLogging();
        configure(builder);
        return builder.Build();
    }

    private sealed class Worker(NatsClient client) : IHostedService
    {
        public ConnectionState? StateAtStart { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken)
        {
            StateAtStart = client.State;
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
