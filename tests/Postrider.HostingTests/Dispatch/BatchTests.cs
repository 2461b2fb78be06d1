using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

public sealed class BatchTests
{
    private static readonly JsonSerializerProvider Json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<BatchOptions, int, string> Contradictions => new()
    {
        { new BatchOptions { MaxMessages = 0 }, 100, "MaxMessages is 0 and must be from 1 to 10000" },
        { new BatchOptions { MaxMessages = 10_001 }, 20_000, "MaxMessages is 10001 and must be from 1 to 10000" },
        { new BatchOptions { MaxWait = TimeSpan.Zero }, 100, "MaxWait is 00:00:00 and must be greater than zero and at most a minute" },
        { new BatchOptions { MaxWait = TimeSpan.FromHours(1) }, 100, "MaxWait is 01:00:00 and must be greater than zero and at most a minute" },
        { new BatchOptions { MaxConcurrentBatches = 0 }, 100, "MaxConcurrentBatches is 0 and must be at least 1" },
        { new BatchOptions { MaxMessages = 50 }, 8, "MaxMessages is 50, but MaxConcurrency of the binding lets only 8 messages wait: set MaxConcurrency to at least 50" },
    };

    [Fact]
    public async Task Full_batch_is_handled_at_once_and_the_rest_when_the_time_is_over()
    {
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 3, MaxWait = TimeSpan.FromSeconds(10) });

        var sends = app.Send("a", "b", "c", "d");
        await Task.WhenAll(sends[..3]);
        Assert.Equal([["a", "b", "c"]], app.Log.Batches);
        app.Clock.Advance(TimeSpan.FromSeconds(10));
        await sends[3];

        Assert.Equal([["a", "b", "c"], ["d"]], app.Log.Batches);
        await Eventually.HoldsAsync(() => app.Log.Ended == 2);
    }

    [Fact]
    public async Task Each_message_is_settled_for_itself()
    {
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 3 });

        await Task.WhenAll(app.Send("a", "broken-1", "c"));

        var dead = await app.DeadLettersAsync();
        Assert.Equal(["broken-1 is broken."], dead.Select(static letter => letter.Headers[HeaderNames.Error]));
    }

    [Fact]
    public async Task Handler_that_throws_fails_all_that_it_has_not_marked()
    {
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 3 }, maxAttempts: 1);

        await Task.WhenAll(app.Send("explosive", "broken-1", "c"));

        Assert.Equal(
            ["The shelf is on fire.", "The shelf is on fire.", "broken-1 is broken."],
            (await app.DeadLettersAsync()).Select(static letter => letter.Headers[HeaderNames.Error]!).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Failed_message_comes_again_in_a_later_batch()
    {
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 1 }, maxAttempts: 2);

        await Task.WhenAll(app.Send("explosive", "b"));
        Assert.Equal([["explosive"], ["b"]], app.Log.Batches);
        app.Clock.Advance(TimeSpan.FromMinutes(2));

        await Eventually.HoldsAsync(async () => (await app.DeadLettersAsync()).Count == 1);
        Assert.Equal([["explosive"], ["b"], ["explosive"]], app.Log.Batches);
    }

    [Fact]
    public async Task Messages_of_a_key_are_in_one_batch_at_a_time_and_in_order()
    {
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 2, MaxConcurrentBatches = 4 }, orderByKey: true);
        app.Log.Gate = new TaskCompletionSource();

        // Three batches could run, but the shelves x and y are in the first one.
        var sends = app.Send("x1", "y1", "x2", "x3", "z1", "z2");
        await Eventually.HoldsAsync(() => app.Log.Running == 2);
        app.Log.Gate.SetResult();
        await Task.WhenAll(sends);

        Assert.Equal(2, app.Log.MaxRunning);
        var order = app.Log.Batches.SelectMany(static batch => batch).ToList();
        Assert.Equal(["x1", "x2", "x3"], order.Where(static id => id[0] == 'x'));
        Assert.Equal(["z1", "z2"], order.Where(static id => id[0] == 'z'));
    }

    [Fact]
    public async Task Middleware_stands_around_each_message()
    {
        var middleware = new SeenMessages();
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 2 }, more: transport => transport.Use(_ => middleware));

        await Task.WhenAll(app.Send("a", "b"));

        Assert.Equal(4, middleware.Seen.Count);
        Assert.All(middleware.Seen, static seen => Assert.Equal(typeof(PackParcel), seen.Type));
    }

    [Fact]
    public async Task Host_that_stops_handles_what_has_arrived()
    {
        await using var app = await StartAsync(new BatchOptions { MaxMessages = 100, MaxWait = TimeSpan.FromMinutes(1) });
        var sends = app.Send("a", "b");

        await app.Host.StopAsync(Ct);
        await Task.WhenAll(sends);

        Assert.Equal(["a", "b"], app.Log.Batches.SelectMany(static batch => batch));
    }

    [Fact]
    public async Task Harness_waits_for_batches_by_its_clock()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(static _ => { });
        builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), Json)
            .Batch<PackParcel>(new TransportBinding("work.pack") { MaxConcurrency = 100 }, new BatchOptions { MaxMessages = 3, MaxWait = TimeSpan.FromSeconds(5) });
        builder.Services.AddPostriderTestHarness();
        using var host = builder.Build();
        await host.StartAsync(Ct);
        var harness = host.Services.GetRequiredService<TestHarness>();

        foreach (var id in (string[])["a", "b", "c", "d"])
            await harness.DeliverAsync("work", "work.pack", new PackParcel(id, ""), Json);
        await harness.IdleAsync(Ct);
        Assert.Equal([["a", "b", "c"]], host.Services.GetRequiredService<RouteLog>().Batches);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(5), Ct);

        Assert.Equal([["a", "b", "c"], ["d"]], host.Services.GetRequiredService<RouteLog>().Batches);
        Assert.Equal(4, harness.Consumed<PackParcel>().Count);
        await host.StopAsync(Ct);
    }

    [Theory]
    [MemberData(nameof(Contradictions))]
    public async Task Options_that_cannot_work_end_the_start(BatchOptions options, int maxConcurrency, string what)
    {
        ArgumentNullException.ThrowIfNull(options);

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await StartAsync(options, maxConcurrency: maxConcurrency));

        Assert.Equal($"Postrider.HostingTests.Dispatch.PackParcel is bound to 'work.pack' in batches that are not valid: {what}.", failure.Message);
    }

    [Fact]
    public async Task Batch_without_a_handler_ends_the_start()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(static _ => { });
        builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), Json)
            .Batch<Orphan>(new TransportBinding("work.orphans") { MaxConcurrency = 100 });
        using var host = builder.Build();

        var failure = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.StartsWith("Postrider.MessageBatch`1[Postrider.HostingTests.Dispatch.Orphan] is bound to 'work.orphans', but this container has neither a handler for it nor a route", failure.Message, StringComparison.Ordinal);
    }

    private static async Task<App> StartAsync(BatchOptions options, bool orderByKey = false, int maxAttempts = 5, int maxConcurrency = 100, Action<TransportBuilder>? more = null)
    {
        var clock = new FakeTimeProvider();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<TimeProvider>(clock).AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(static _ => { });
        var transport = builder.Services.AddPostriderTransport("work", _ => new InMemoryTransport(clock), Json)
            .Batch<PackParcel>(new AtLeastOnceBinding("work.pack") { MaxConcurrency = maxConcurrency, OrderByKey = orderByKey, DeadLetter = "work.dead", Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = maxAttempts } }, options);
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

        return new App(host, clock);
    }

    private sealed class App(IHost host, FakeTimeProvider clock) : IAsyncDisposable
    {
        public IHost Host => host;

        public FakeTimeProvider Clock => clock;

        public RouteLog Log => host.Services.GetRequiredService<RouteLog>();

        private ITransport Transport => host.Services.GetRequiredKeyedService<ITransport>("work");

        public Task[] Send(params string[] ids)
        {
            var sender = Transport.OpenSender("work.pack");
            return [.. ids.Select(id => sender.SendAsync(
                new MessageProperties { ContentType = "application/json", Key = id[..1] }, System.Text.Encoding.UTF8.GetBytes($"{{\"id\":\"{id}\",\"shelf\":\"\"}}"), Ct).AsTask())];
        }

        public async Task<List<DeadLetterMessage>> DeadLettersAsync() => await Transport.OpenDeadLetters("work.dead").ListAsync(DeadLetterQuery.All, Ct).ToListAsync(Ct);

        public async ValueTask DisposeAsync()
        {
            await host.StopAsync(Ct);
            host.Dispose();
        }
    }
}
