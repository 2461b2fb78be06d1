using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>The services that a hosted application offers to the dashboard.</summary>
public sealed class DashboardServicesTests : IAsyncLifetime
{
    private static readonly JsonSerializerProvider s_json = new(OrdersJson.Default);

    private NatsBroker _broker = null!;
    private NatsClient _dashboard = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        _dashboard = await NatsClient.ConnectAsync(_broker.Url!, ct: Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _dashboard.DisposeAsync();
        await _broker.DisposeAsync();
    }

    [Fact]
    public async Task Handlers_and_routes_are_shown_while_the_host_runs()
    {
        using var host = Build(static services => services.AddPostriderDashboardServices("billing"));
        await host.StartAsync(Ct);

        var page = await AskAsync("postrider.handlers", "");

        Assert.Contains("\"application\":\"billing\"", page, StringComparison.Ordinal);
        Assert.Contains("OrderHandlers", page, StringComparison.Ordinal);
        await host.StopAsync(Ct);
        await Eventually.HoldsAsync(async () => await Record.ExceptionAsync(() => RequestAsync("postrider.handlers", "")) is NatsNoRespondersException);
    }

    [Fact]
    public async Task Dead_letters_of_all_transports_are_served_also_of_those_added_later()
    {
        using var host = Build(static services =>
        {
            services.AddPostriderDashboardServices("billing");
            services.AddPostriderTransport("later", static _ => new InMemoryTransport(), s_json);
        });
        await host.StartAsync(Ct);

        Assert.Contains("\"letters\":[]", await AskAsync("postrider.deadletters.list", """{"transport":"orders","source":"lost"}"""), StringComparison.Ordinal);
        Assert.Contains("\"letters\":[]", await AskAsync("postrider.deadletters.list", """{"transport":"later","source":"lost"}"""), StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Sources_of_dead_letters_are_those_of_the_bindings()
    {
        using var host = Build(static services =>
        {
            services.AddPostriderDashboardServices("billing", ["bound"]);
            services.AddPostriderTransport("bound", static _ => new InMemoryTransport(), s_json)
                .Notification<OrderPlaced>(new AtLeastOnceBinding("placed") { DeadLetter = "placed.dead" })
                .Notification<OrderPlaced>(new AtLeastOnceBinding("placed.again") { DeadLetter = "placed.dead" })
                .Notification<OrderPlaced>(new AtLeastOnceBinding("dropped"));
            services.AddPostriderTransport("hidden", static _ => new InMemoryTransport(), s_json).Notification<OrderPlaced>(new AtLeastOnceBinding("placed") { DeadLetter = "hidden.dead" });
        });
        await host.StartAsync(Ct);

        var sources = await AskAsync("postrider.deadletters.sources", "");

        Assert.Equal("""{"sources":[{"transport":"bound","source":"placed.dead"}]}""", sources);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Dead_letters_are_served_of_the_named_transports_only()
    {
        using var host = Build(static services => services.AddPostriderDashboardServices("billing", transports: []));
        await host.StartAsync(Ct);

        await Assert.ThrowsAsync<NatsNoRespondersException>(() => RequestAsync("postrider.deadletters.list", """{"transport":"orders","source":"lost"}"""));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Transport_that_was_not_added_ends_the_start()
    {
        using var host = Build(static services => services.AddPostriderDashboardServices("billing", ["parcels"]));

        var failure = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.Equal("AddPostriderDashboardServices(\"billing\") needs the transport 'parcels', which was not added. Call AddPostriderTransport(\"parcels\", …).", failure.Message);
    }

    [Fact]
    public async Task Client_that_was_not_added_ends_the_start()
    {
        using var host = Build(static services => services.AddPostriderDashboardServices("billing", client: "central"));

        var failure = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.StartsWith("AddPostriderDashboardServices(\"billing\") needs the NATS client 'central', which was not added.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Test_harness_starts_and_stops_them_without_a_server()
    {
        using var host = Build(static services => services.AddPostriderDashboardServices("billing").AddPostriderTestHarness());

        await host.StartAsync(Ct);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Host_without_a_server_starts_and_stops()
    {
        using var host = Build(static services => services.AddPostriderDashboardServices("billing"), "nats://127.0.0.1:1");

        await host.StartAsync(Ct);
        await host.StopAsync(Ct).WaitAsync(TimeSpan.FromSeconds(20), Ct);
    }

    // The host's subscription is on its way when the host has started.
    private Task<string> AskAsync(string subject, string body) => Eventually.SucceedsAsync<NatsNoRespondersException, string>(() => RequestAsync(subject, body));

    private async Task<string> RequestAsync(string subject, string body)
        => System.Text.Encoding.UTF8.GetString((await _dashboard.RequestAsync<byte[], byte[]>(subject, System.Text.Encoding.UTF8.GetBytes(body), ct: Ct)).Data!);

    private IHost Build(Action<IServiceCollection> add, string? server = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddPostriderClient(options =>
        {
            options.Servers = [server ?? _broker.Url!];
            options.RetryFirstConnect = server is not null;
        });
        builder.Services.AddLogging();
        builder.Services.AddSingleton<OrderNotes>().AddPostrider();
        builder.Services.AddPostriderTransport("orders", static _ => new InMemoryTransport(), s_json);
        add(builder.Services);
        return builder.Build();
    }
}
