using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Configuration;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;

namespace Postrider.HostingTests.Rpc;

public sealed class ChannelSettingsTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string, string, string> Mistakes => new()
    {
        { "Adress", "tcp://localhost:1", "Postrider:Rpc:Channels:ledger:Adress is not a known key. Did you mean 'Address'?" },
        { "Address", "", "Postrider:Rpc:Channels:ledger:Address is missing. Set it to the address of the service, for example tcp://localhost:5090 or https://orders.example." },
        { "Address", "localhost:5090", "Postrider:Rpc:Channels:ledger:Address is 'localhost:5090'; it must be an address that begins with http://, https://, tcp://, tls://, unix://, ws:// or wss://." },
        { "Address", "ftp://localhost", "Postrider:Rpc:Channels:ledger:Address is 'ftp://localhost'; it must be an address that begins with http://, https://, tcp://, tls://, unix://, ws:// or wss://." },
        { "Address", "tcp://localhost", "Postrider:Rpc:Channels:ledger:Address is 'tcp://localhost', which has no port; it must be an address such as tcp://localhost:5090." },
        { "Timeout", "soon", "Postrider:Rpc:Channels:ledger:Timeout is 'soon'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30." },
        { "Timeout", "30", "Postrider:Rpc:Channels:ledger:Timeout is '30'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30." },
        { "ConnectTimeout", "-1s", "Postrider:Rpc:Channels:ledger:ConnectTimeout is '-1s'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30." },
        { "MaxAttempts", "0", "Postrider:Rpc:Channels:ledger:MaxAttempts is '0'; it must be a whole number from 1 to 100." },
        { "MaxAttempts", "many", "Postrider:Rpc:Channels:ledger:MaxAttempts is 'many'; it must be a whole number from 1 to 100." },
        { "HedgeDelay", "50ms", "Postrider:Rpc:Channels:ledger:HedgeDelay needs at least two addresses, and there is one." },
        { "Telemetry", "yes", "Postrider:Rpc:Channels:ledger:Telemetry is 'yes'; it must be true or false." },
        { "ContentType", "text/csv", "Postrider:Rpc:Channels:ledger:ContentType is 'text/csv'; no codec with it was added. Added: application/msgpack." },
        { "CircuitBreaker", "stock", "Postrider:Rpc:Channels:ledger:CircuitBreaker is 'stock', and no circuit breaker of this application has that name. Add Postrider:Flow:CircuitBreakers:stock and call AddPostriderFlow, or give the channel one of its own with CircuitBreaker:FailureThreshold and the other keys." },
        { "RateLimit", "5", "Postrider:Rpc:Channels:ledger:RateLimit is '5', and no rate limiter of this application has that name. Add Postrider:Flow:RateLimiters:5 and call AddPostriderFlow, or give the channel one of its own with RateLimit:Permits and the other keys." },
        { "Bulkhead", "8", "Postrider:Rpc:Channels:ledger:Bulkhead is '8', and no bulkhead of this application has that name. Add Postrider:Flow:Bulkheads:8 and call AddPostriderFlow, or give the channel one of its own with Bulkhead:Capacity and the other keys." },
        { "CircuitBreaker:OpenTimes", "30s", "Postrider:Rpc:Channels:ledger:CircuitBreaker:OpenTimes is not a known key. Did you mean 'OpenTime'?" },
        { "CircuitBreaker:FailureThreshold", "0", "Postrider:Rpc:Channels:ledger:CircuitBreaker is not valid: CircuitBreakerOptions has no rule: set FailureThreshold, FailureRatio or SlowCall." },
        { "RateLimit:Per", "1s", "Postrider:Rpc:Channels:ledger:RateLimit:Permits is missing. Set it to the number of calls that are allowed in the time of Per, which is a second by default." },
        { "Bulkhead:Capacity", "0", "Postrider:Rpc:Channels:ledger:Bulkhead:Capacity is '0'; it must be a whole number from 1 to 2147483647." },
    };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public async Task Mistake_ends_the_start_with_its_key(string key, string value, string expected)
    {
        var settings = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase) { ["Postrider:Rpc:Channels:ledger:Address"] = "tcp://127.0.0.1:1" };
        settings["Postrider:Rpc:Channels:ledger:" + key] = value;
        if (key == "Adress")
            settings.Remove("Postrider:Rpc:Channels:ledger:Address");
        using var host = Build(settings, services => services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>());

        var failure = await Assert.ThrowsAsync<InvalidConfigurationException>(() => host.StartAsync(Ct));

        Assert.Equal(expected, failure.Message);
    }

    [Fact]
    public async Task All_mistakes_are_told_at_once()
    {
        using var host = Build(
            new() { ["Postrider:Rpc:Channels:ledger:Timeout"] = "x", ["Postrider:Rpc:Channels:ledger:MaxAttempts"] = "y", ["Postrider:Rpc:Channels:ledger:Zone"] = "z" },
            services => services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>("tcp://127.0.0.1:1"));

        var failure = await Assert.ThrowsAsync<InvalidConfigurationException>(() => host.StartAsync(Ct));

        Assert.Equal(3, failure.Message.Split(Environment.NewLine).Length);
    }

    [Fact]
    public async Task Channel_without_a_codec_ends_the_start()
    {
        using var host = Build([], services => services.AddRpcClient<ILedger>("tcp://127.0.0.1:1"));

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Ct));

        Assert.Equal("There is no RPC codec. Add one, for example AddRpcCodec(new RpcJsonCodec(MessagesJson.Default)).", failure.Message);
    }

    [Fact]
    public async Task Server_without_a_service_ends_the_start()
    {
        using var host = Build([], services => services.AddRpcCodec(LedgerHost.Codec).AddRpcSocketServer(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0)));

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Ct));

        Assert.Equal("There is no RPC service to serve. Add one with AddRpcService<TService, TImplementation>().", failure.Message);
    }

    [Fact]
    public void Interface_without_a_contract_is_refused()
    {
        var failure = Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddRpcClient<IDisposable>("tcp://127.0.0.1:1"));

        Assert.StartsWith("System.IDisposable is not a service contract. Add [Service] to the interface", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Same_client_twice_is_refused()
    {
        var services = new ServiceCollection();
        services.AddRpcClient<ILedger>("tcp://127.0.0.1:1");

        Assert.Throws<InvalidOperationException>(() => services.AddRpcChannel("other", settings => settings).AddClient<ILedger>());
        Assert.Throws<InvalidOperationException>(() => services.AddRpcChannel("ledger"));
    }

    [Fact]
    public void Service_without_an_implementation_is_refused()
    {
        var failure = Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddRpcService<ILedger>());

        Assert.Equal("No implementation of Postrider.HostingTests.Rpc.ILedger is registered. Call AddRpcService<ILedger, TImplementation>(), or register the implementation before AddRpcService<ILedger>().", failure.Message);
    }

    [Theory]
    [InlineData("socket")]
    [InlineData("http")]
    [InlineData("websocket")]
    public async Task Client_from_the_container_calls_over_the_transport_of_its_address(string transport)
    {
        await using var server = await LedgerHost.StartAsync();
        var address = transport switch
        {
            "socket" => $"tcp://{server.Server.EndPoint}",
            "http" => server.Http.ToString(),
            _ => new UriBuilder(server.Http) { Scheme = "ws", Path = "/rpc" }.ToString(),
        };
        using var host = Build(
            new() { ["Postrider:Rpc:Channels:ledger:Address"] = address, ["Postrider:Rpc:Channels:ledger:Timeout"] = "20s" },
            services => services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>());
        await host.StartAsync(Ct);

        Assert.Equal(3, await host.Services.GetRequiredService<ILedger>().AddAsync(3, Ct));

        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Two_clients_of_one_contract_have_keys()
    {
        await using var one = await LedgerHost.StartAsync();
        await using var other = await LedgerHost.StartAsync();
        using var host = Build([], services =>
        {
            services.AddRpcCodec(LedgerHost.Codec);
            services.AddRpcChannel("one", settings => settings with { Addresses = [new Uri($"tcp://{one.Server.EndPoint}")] }).AddKeyedClient<ILedger>();
            services.AddRpcChannel("other", settings => settings with { Addresses = [new Uri($"tcp://{other.Server.EndPoint}")] }).AddKeyedClient<ILedger>();
        });
        await host.StartAsync(Ct);

        await host.Services.GetRequiredKeyedService<ILedger>("one").AddAsync(1, Ct);

        Assert.Single(one.Books.Scopes);
        Assert.Empty(other.Books.Scopes);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Several_addresses_are_balanced_and_one_that_is_down_is_passed_over()
    {
        await using var server = await LedgerHost.StartAsync();
        using var host = Build(
            new() { ["Postrider:Rpc:Channels:ledger:Address"] = $"tcp://127.0.0.1:1, tcp://{server.Server.EndPoint}" },
            services => services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>());
        await host.StartAsync(Ct);
        var ledger = host.Services.GetRequiredService<ILedger>();

        for (var i = 1; i <= 10; i++)
            Assert.Equal(i, await ledger.AddAsync(1, Ct));

        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Server_that_cannot_be_reached_is_named_with_the_key_of_its_address()
    {
        using var host = Build(
            new() { ["Postrider:Rpc:Channels:ledger:Address"] = "tcp://localhost:1" },
            services => services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>());
        await host.StartAsync(Ct);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await host.Services.GetRequiredService<ILedger>().AddAsync(1, Ct));

        Assert.StartsWith("localhost:1 cannot be reached: ", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith(". Check Postrider:Rpc:Channels:ledger:Address of the channel 'ledger', and that the server runs.", failure.Message, StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    private static IHost Build(Dictionary<string, string?> settings, Action<IServiceCollection> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(settings);
        configure(builder.Services);
        return builder.Build();
    }
}
