using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.HostingTests.Dispatch;
using Postrider.Resilience;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Testing;

public sealed class TestHarnessTests
{
    private static readonly JsonSerializerProvider Json = new(OrdersJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task What_a_message_causes_is_recorded_and_waited_for()
    {
        await using var app = await HarnessApp.StartAsync(
            options => options.RouteNotification<OrderPlaced>("orders", Json, "orders.placed"),
            transport => transport.Request<PlaceOrder, Receipt>(new TransportBinding("orders.place")).Notification<OrderPlaced>(new TransportBinding("orders.placed")));

        await app.Harness.DeliverAsync("orders", "orders.place", new PlaceOrder("tea", 2), Json, new MessageProperties { MessageId = "m-1", CorrelationId = "c-1" });
        await app.Harness.IdleAsync(Ct);

        var placed = Assert.Single(app.Harness.Consumed<PlaceOrder>());
        Assert.Equal((new PlaceOrder("tea", 2), "orders.place", 1, null), (placed.Message, placed.Source, placed.Attempt, placed.Failure));
        var followed = Assert.Single(app.Harness.Consumed<OrderPlaced>());
        Assert.Equal(new OrderPlaced("tea"), followed.Message);
        Assert.Equal("c-1", followed.Headers[HeaderNames.CorrelationId]);
        Assert.NotNull(followed.Headers[HeaderNames.CausationId]);
        Assert.Equal(["orders.place", "orders.placed"], app.Harness.Sent.Select(sent => sent.Destination));
        Assert.Equal("{\"item\":\"tea\"}", System.Text.Encoding.UTF8.GetString(app.Harness.Sent[1].Body.Span));
        Assert.Equal("tea", Assert.Single(app.Notes.All).Item);
    }

    [Fact]
    public async Task Sender_does_not_wait_for_the_handlers_and_the_order_is_kept()
    {
        var release = new TaskCompletionSource();
        var seen = new List<string>();
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>(async (placed, _) =>
            {
                await release.Task;
                seen.Add(placed.Item);
            }),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed") { MaxConcurrency = 1 }));

        for (var i = 0; i < 100; i++)
            await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced($"{i}"), Json);
        release.SetResult();
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), seen);
    }

    [Fact]
    public async Task Attempts_come_by_the_clock_of_the_test_and_end_in_a_dead_letter()
    {
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>((_, _) => throw new InvalidOperationException("no paper")),
            transport => transport.Notification<OrderPlaced>(new AtLeastOnceBinding("orders.placed")
            {
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, Backoff = Backoff.Exponential, BaseDelay = TimeSpan.FromMinutes(1), MaxDelay = TimeSpan.FromHours(1) },
                DeadLetter = "orders.dead",
            }));

        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), Json);
        await app.Harness.IdleAsync(Ct);
        Assert.Equal([1L], Attempts(app));
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(59), Ct);
        Assert.Equal([1L], Attempts(app));
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(1), Ct);
        Assert.Equal([1L, 2L], Attempts(app));
        Assert.Empty(app.Harness.DeadLetters);

        await app.Harness.AdvanceAsync(TimeSpan.FromHours(3), Ct);

        Assert.Equal([1L, 2L, 3L], Attempts(app));
        var dead = Assert.Single(app.Harness.DeadLetters);
        Assert.Equal((new OrderPlaced("tea"), "orders.placed", "orders.dead", DeadLetterReason.Exhausted, "no paper"), (dead.Message, dead.Source, dead.Destination, dead.Reason, dead.Failure?.Message));
    }

    [Fact]
    public async Task Dead_letters_of_a_replaced_transport_are_listed_and_sent_back()
    {
        var fails = true;
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>((_, _) => fails ? throw new PostriderException(PostriderError.Refused, "no paper") : default),
            transport => transport.Notification<OrderPlaced>(new AtLeastOnceBinding("orders.placed") { DeadLetter = "orders.dead" }));
        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), Json);
        await app.Harness.IdleAsync(Ct);
        var letters = app.Services.GetRequiredKeyedService<ITransport>("orders").OpenDeadLetters("orders.dead");
        var listed = new List<DeadLetterMessage>();
        await foreach (var letter in letters.ListAsync(DeadLetterQuery.All, Ct))
            listed.Add(letter);

        fails = false;
        var redriven = await letters.RedriveAsync(DeadLetterQuery.All, Ct);
        await app.Harness.IdleAsync(Ct);

        Assert.Equal((DeadLetterReason.Final, "no paper"), (Assert.Single(listed).Reason, listed[0].Error));
        Assert.Equal((1L, 0L), (redriven, await letters.PurgeAsync(DeadLetterQuery.All, Ct)));
    }

    [Fact]
    public async Task Bytes_that_are_no_message_are_a_dead_letter_at_once()
    {
        await using var app = await HarnessApp.StartAsync(
            static _ => { },
            transport => transport.Notification<OrderPlaced>(new AtLeastOnceBinding("orders.placed")));

        await app.Harness.DeliverAsync("orders", "orders.placed", "{\"item\":"u8.ToArray(), BytesSerializerProvider.Instance);
        await app.Harness.IdleAsync(Ct);

        var dead = Assert.Single(app.Harness.DeadLetters);
        Assert.Equal((null, null, DeadLetterReason.Unreadable, 8), (dead.Message, dead.Destination, dead.Reason, dead.Body.Length));
    }

    [Fact]
    public async Task Delayed_message_arrives_when_the_clock_has_moved()
    {
        await using var app = await HarnessApp.StartAsync(
            options => options.RouteNotification<OrderPlaced>("orders", Json, new SendTarget("orders.placed") { Delay = TimeSpan.FromHours(1) }),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));

        await app.Dispatcher.PublishAsync(new OrderPlaced("tea"), Ct);
        await app.Harness.AdvanceAsync(TimeSpan.FromMinutes(59), Ct);
        Assert.Empty(app.Notes.All);
        Assert.Equal(TimeSpan.FromHours(1), Assert.Single(app.Harness.Sent).Delay);
        await app.Harness.AdvanceAsync(TimeSpan.FromMinutes(1), Ct);

        Assert.Equal("tea", Assert.Single(app.Notes.All).Item);
        Assert.Equal(new OrderPlaced("tea"), app.Harness.Dispatched.SinglePublished<OrderPlaced>());
    }

    // A timer is limited to 49 days.
    [Fact]
    public async Task Delayed_message_and_next_attempt_arrive_after_months()
    {
        var months = TimeSpan.FromDays(100);
        await using var app = await HarnessApp.StartAsync(
            options => options
                .ReplaceNotification<OrderPlaced>(static (_, _) => throw new InvalidOperationException("no paper"))
                .RouteNotification<OrderPlaced>("orders", Json, new SendTarget("orders.placed") { Delay = months }),
            transport => transport.Notification<OrderPlaced>(new AtLeastOnceBinding("orders.placed")
            {
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 2, Backoff = Backoff.Constant, BaseDelay = months, MaxDelay = months },
            }));

        await app.Dispatcher.PublishAsync(new OrderPlaced("tea"), Ct);
        await app.Harness.AdvanceAsync(months - TimeSpan.FromSeconds(1), Ct);
        Assert.Empty(Attempts(app));
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(1), Ct);
        Assert.Equal([1L], Attempts(app));
        await app.Harness.AdvanceAsync(months, Ct);

        Assert.Equal([1L, 2L], Attempts(app));
    }

    [Fact]
    public async Task Handler_that_waits_for_the_clock_does_not_hold_up_the_test()
    {
        var steps = 0;
        TimeProvider? clock = null;
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>(async (_, ct) =>
            {
                for (var i = 0; i < 3; i++)
                {
                    await Task.Delay(TimeSpan.FromSeconds(10), clock!, ct);
                    await Task.Yield();
                    steps++;
                }
            }),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        clock = app.Services.GetRequiredService<TimeProvider>();

        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), Json);
        await app.Harness.IdleAsync(Ct);
        Assert.Equal(0, steps);
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(20), Ct);
        Assert.Equal(2, steps);
        Assert.Empty(app.Harness.Consumed<OrderPlaced>());
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(10), Ct);

        Assert.Equal(3, steps);
        Assert.Single(app.Harness.Consumed<OrderPlaced>());
        Assert.Equal(new DateTimeOffset(2000, 1, 1, 0, 0, 30, TimeSpan.Zero), app.Harness.Time.GetUtcNow());
    }

    // The test goes on as soon as the handler waits: the clock may move before the handler's timer is armed.
    [Fact]
    public async Task Timers_are_missed_by_no_step_of_the_clock()
    {
        const int count = 2000;
        var steps = 0;
        TimeProvider? clock = null;
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>(async (_, ct) =>
            {
                for (; steps < count; steps++)
                {
                    await Task.Delay(TimeSpan.FromSeconds(1), clock!, ct);
                    await Task.Yield();
                }
            }),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        clock = app.Services.GetRequiredService<TimeProvider>();

        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), Json);
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(count), Ct);

        Assert.Equal(count, steps);
    }

    [Fact]
    public async Task Posted_message_is_waited_for()
    {
        await using var app = await HarnessApp.StartAsync(static _ => { }, static _ => { });

        await app.Dispatcher.PostAsync(new OrderPlaced("tea"), Ct);
        await app.Harness.IdleAsync(Ct);

        Assert.Equal("tea", Assert.Single(app.Notes.All).Item);
        Assert.Equal(new OrderPlaced("tea"), app.Harness.Dispatched.SinglePosted<OrderPlaced>());
    }

    [Fact]
    public async Task What_does_not_end_is_named()
    {
        // It never ends, and the host ends nevertheless.
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>((_, _) => new ValueTask(new TaskCompletionSource().Task)),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")),
            new TestHarnessOptions { IdleTimeout = TimeSpan.FromMilliseconds(50) });
        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), Json);

        var late = await Assert.ThrowsAsync<TimeoutException>(() => app.Harness.IdleAsync(Ct));

        Assert.Equal("Not idle after 0.05 s. Still running: 'orders.placed' on transport 'orders'. IdleTimeout of TestHarnessOptions sets the limit.", late.Message);
    }

    [Theory]
    [InlineData("orders.*", "orders.placed", true)]
    [InlineData("orders.*", "orders.placed.late", false)]
    [InlineData("orders.>", "orders.placed.late", true)]
    [InlineData("orders.>", "orders", false)]
    [InlineData("orders.#", "orders", true)]
    [InlineData("#.late", "orders.placed.late", true)]
    [InlineData("orders.placed", "orders.placed", true)]
    [InlineData("orders.placed", "orders", false)]
    public async Task Sources_take_the_patterns_of_brokers(string source, string destination, bool arrives)
    {
        await using var app = await HarnessApp.StartAsync(static _ => { }, transport => transport.Notification<OrderPlaced>(new TransportBinding(source)));

        await app.Harness.DeliverAsync("orders", destination, new OrderPlaced("tea"), Json);
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(arrives ? 1 : 0, app.Harness.Consumed<OrderPlaced>().Count);
    }

    [Fact]
    public async Task Application_of_streams_starts_without_a_server()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.AddPostriderBroker(static options => options.JetStream = new() { StoreDirectory = "/nowhere" });
        builder.AddPostriderClient(options => options.Servers = ["nats://127.0.0.1:1"]);
        builder.AddPostriderStreams(needed => needed.Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }));
        builder.Services.AddNatsStreamTransport("orders", Json).Notification<OrderPlaced>(new DurableBinding("orders.placed") { Stream = "ORDERS", Consumer = "notes" });
        builder.Services.AddSingleton<OrderNotes>();
        builder.Services.AddPostrider(options => options.RouteNotification<OrderPlaced>("orders", Json, "orders.placed"));
        builder.Services.AddPostriderTestHarness();
        using var host = builder.Build();
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced("tea"), Ct);
        await host.Services.GetRequiredService<TestHarness>().IdleAsync(Ct);

        Assert.Equal("tea", Assert.Single(host.Services.GetRequiredService<OrderNotes>().All).Item);
        Assert.Null(host.Services.GetRequiredService<BrokerService>().Running);
        await host.StopAsync(Ct);
    }

    [Fact]
    public void Second_harness_is_refused()
    {
        var services = new ServiceCollection();
        services.AddPostrider();
        services.AddPostriderTestHarness();

        Assert.Equal("AddPostriderTestHarness was already called.", Assert.Throws<InvalidOperationException>(() => services.AddPostriderTestHarness()).Message);
    }

    [Fact]
    public void Harness_without_an_application_is_refused()
        => Assert.Equal(
            "AddPostriderTestHarness needs the application's services. Call AddPostrider() first.",
            Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddPostriderTestHarness()).Message);

    [Fact]
    public async Task Unknown_transport_is_named()
    {
        await using var app = await HarnessApp.StartAsync(static _ => { }, static _ => { });

        var failure = await Assert.ThrowsAsync<ArgumentException>(async () => await app.Harness.DeliverAsync("parcels", "x", new OrderPlaced("tea"), Json));

        Assert.StartsWith("No transport 'parcels' was added. Call AddPostriderTransport(\"parcels\", …) before AddPostriderTestHarness().", failure.Message, StringComparison.Ordinal);
    }

    private static IEnumerable<long> Attempts(HarnessApp app) => app.Harness.Consumed<OrderPlaced>().Select(consumed => consumed.Attempt);
}
