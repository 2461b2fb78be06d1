using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>Stream requests that are routed out, in memory and over NATS.</summary>
public sealed class StreamRouteTests
{
    private static readonly JsonSerializerProvider Json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(50_000)]
    public async Task Items_arrive_in_order_and_the_scope_ends_with_the_last(int count)
    {
        await using var app = await StartAsync();

        var items = await app.Dispatcher.StreamAsync(new CountTo(count, "slow"), Ct).Select(static number => number.Value).ToListAsync(Ct);

        Assert.Equal(Enumerable.Range(1, count), items);
        await Eventually.HoldsAsync(() => app.Log.Ended == 1);
    }

    [Fact]
    public async Task Middleware_of_the_consumer_stands_around_the_whole_stream()
    {
        var middleware = new SeenMessages();
        await using var app = await StartAsync(transport => transport.Use(_ => middleware));

        await foreach (var number in app.Dispatcher.StreamAsync(new CountTo(3, "slow"), Ct))
            Assert.InRange(number.Value, 1, 3);

        await Eventually.HoldsAsync(() => middleware.Seen.Count == 2);
        Assert.Equal([(typeof(CountTo), false), (typeof(CountTo), true)], middleware.Seen);
    }

    [Fact]
    public async Task Slow_caller_holds_the_handler_back()
    {
        await using var app = await StartAsync();
        await using var items = app.Dispatcher.StreamAsync(new CountTo(int.MaxValue), Ct).GetAsyncEnumerator(Ct);

        for (var i = 0; i < 10; i++)
            Assert.True(await items.MoveNextAsync());

        // A page that was sent, and one that waits: 64 KiB each, at least 16 bytes an item.
        await Eventually.HoldsAsync(() => app.Log.Produced > 10);
        Assert.InRange(app.Log.Produced, 11, 2 * 64 * 1024 / 16);
    }

    [Fact]
    public async Task Leaving_the_enumeration_ends_the_handler()
    {
        await using var app = await StartAsync();

        await foreach (var number in app.Dispatcher.StreamAsync(new CountTo(2, "wait"), Ct))
        {
            if (number.Value == 2)
                break;
        }

        await Eventually.HoldsAsync(() => app.Log.Ended == 1);
    }

    [Fact]
    public async Task Cancelled_caller_ends_the_handler()
    {
        await using var app = await StartAsync();
        using var stop = new CancellationTokenSource();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var number in app.Dispatcher.StreamAsync(new CountTo(1, "wait"), stop.Token))
                await stop.CancelAsync();
        });

        await Eventually.HoldsAsync(() => app.Log.Ended == 1);
    }

    [Fact]
    public async Task Failure_comes_behind_the_items_before_it_and_hides_its_text()
    {
        await using var app = await StartAsync();
        var seen = new List<int>();

        var failure = await Assert.ThrowsAsync<RemoteException>(async () =>
        {
            await foreach (var number in app.Dispatcher.StreamAsync(new CountTo(4, "break"), Ct))
                seen.Add(number.Value);
        });

        Assert.Equal([1, 2, 3], seen);
        Assert.Equal(("Internal", "'numbers.count' answered Internal: The handler failed."), (failure.Code, failure.Message));
    }

    [Fact]
    public async Task Refusal_is_told_to_the_caller()
    {
        await using var app = await StartAsync();

        var failure = await Assert.ThrowsAsync<RemoteException>(async () => await app.Dispatcher.StreamAsync(new CountTo(4, "refuse"), Ct).ToListAsync(Ct));

        Assert.Equal("'numbers.count' answered Refused: Nothing is counted today.", failure.Message);
    }

    [Fact]
    public async Task Handler_whose_caller_asks_for_nothing_is_cancelled_after_30_seconds()
    {
        var clock = new FakeTimeProvider();
        await using var app = await StartAsync(clock: clock);
        await using var items = app.Dispatcher.StreamAsync(new CountTo(int.MaxValue), Ct).GetAsyncEnumerator(Ct);
        Assert.True(await items.MoveNextAsync());

        clock.Advance(TimeSpan.FromSeconds(31));
        await Eventually.HoldsAsync(() => app.Log.Ended == 1);
        var failure = await Assert.ThrowsAsync<RemoteException>(async () =>
        {
            while (await items.MoveNextAsync())
            {
            }
        });

        Assert.Equal("Unavailable", failure.Code);
    }

    [Fact]
    public async Task Host_that_stops_ends_its_streams()
    {
        await using var app = await StartAsync();
        await using var items = app.Dispatcher.StreamAsync(new CountTo(1, "wait"), Ct).GetAsyncEnumerator(Ct);
        Assert.True(await items.MoveNextAsync());
        var next = items.MoveNextAsync();

        await app.Host.StopAsync(Ct);

        Assert.Equal("Unavailable", (await Assert.ThrowsAsync<RemoteException>(async () => await next)).Code);
        Assert.Equal(1, app.Log.Ended);
    }

    [Fact]
    public async Task Stream_between_two_processes_over_nats()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        await using var answering = await StartAsync(client: broker.Url, routes: false);
        await using var asking = await StartAsync(client: broker.Url, bindings: false);

        var items = await asking.Dispatcher.StreamAsync(new CountTo(30_000), Ct).Select(static number => number.Value).ToListAsync(Ct);
        await foreach (var number in asking.Dispatcher.StreamAsync(new CountTo(1, "wait"), Ct))
            break;

        Assert.Equal(Enumerable.Range(1, 30_000), items);
        Assert.Equal((2, 0), (answering.Log.Started, asking.Log.Started));
        await Eventually.HoldsAsync(() => answering.Log.Ended == 2);
    }

    [Fact]
    public async Task Caller_is_told_that_the_other_process_has_gone()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        var answering = await StartAsync(client: broker.Url, routes: false);
        await using var asking = await StartAsync(client: broker.Url, bindings: false);
        await using var items = asking.Dispatcher.StreamAsync(new CountTo(int.MaxValue), Ct).GetAsyncEnumerator(Ct);
        Assert.True(await items.MoveNextAsync());

        await answering.DisposeAsync();

        var failure = await Assert.ThrowsAsync<RemoteException>(async () =>
        {
            while (await items.MoveNextAsync())
            {
            }
        });
        Assert.Equal("Unavailable", failure.Code);
    }

    [Fact]
    public async Task Durable_binding_of_a_stream_request_ends_the_start()
    {
        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await StartAsync(
            transport => transport.Stream<CountTo, Number>(new AtLeastOnceBinding("numbers.durable"))));

        Assert.StartsWith("Postrider.HostingTests.Dispatch.CountTo is bound to 'numbers.durable' on transport 'memory' as a stream request by an AtLeastOnceBinding, and a stream is sent to one caller that waits for it: use a TransportBinding.", failure.Message, StringComparison.Ordinal);
    }

    private static async Task<App> StartAsync(
        Action<TransportBuilder>? more = null, TimeProvider? clock = null, string? client = null, bool routes = true, bool bindings = true)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        if (clock is not null)
            builder.Services.AddSingleton(clock);
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(options =>
        {
            if (routes)
                options.RouteStream<CountTo, Number>("numbers", Json, "numbers.count");
        });
        if (client is not null)
            builder.AddPostriderClient(options => options.Servers = [client]);
        var transport = client is null
            ? builder.Services.AddPostriderTransport("numbers", static _ => new InMemoryTransport(), Json)
            : builder.Services.AddNatsTransport("numbers", Json);
        if (bindings)
            transport.Stream<CountTo, Number>(new TransportBinding("numbers.count"));
        more?.Invoke(transport);
        var host = builder.Build();
        try
        {
            await host.StartAsync(Ct);
        }
        catch
        {
            host.Dispose();
            throw;
        }

        return new App(host);
    }

    private sealed class App(IHost host) : IAsyncDisposable
    {
        public IHost Host => host;

        public RouteLog Log => host.Services.GetRequiredService<RouteLog>();

        public IDispatcher Dispatcher => host.Services.GetRequiredService<IDispatcher>();

        public async ValueTask DisposeAsync()
        {
            await host.StopAsync(Ct);
            host.Dispose();
        }
    }
}
