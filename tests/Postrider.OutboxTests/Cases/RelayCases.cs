using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests.Cases;

/// <summary>What becomes of messages whose sends fail.</summary>
public abstract class RelayCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    private readonly TestClock _clock = new();

    [Fact]
    public async Task Failed_message_is_tried_again_with_backoff_and_ends_as_a_dead_letter()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        app.Wire.Fault = static (_, _) => new PostriderException(PostriderError.NoListener, "No queue.");
        await app.PublishAsync(new OrderPlaced(1, "k"));
        var relay = app.Relay();

        var attempts = new List<int>();
        foreach (var wait in (double[])[0, 0.9, 0.1, 1.9, 0.1, 100])
        {
            _clock.Advance(TimeSpan.FromSeconds(wait));
            Assert.Null(await relay.DrainAsync(false, default));
            attempts.Add(app.Wire.Sends);
        }

        Assert.Equal([1, 1, 2, 2, 3, 3], attempts);
        var dead = Assert.Single(await DeadAsync(app));
        Assert.Equal((OutboxState.Dead, 3), (dead.State, dead.Attempts));
        Assert.Contains("No queue.", dead.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Message_that_failed_while_the_clock_was_ahead_is_tried_again_after_the_clock_was_corrected()
    {
        await using (var ahead = await TestApp.StartAsync(Database, new TestClock(_clock.GetUtcNow().AddDays(365))))
        {
            ahead.Wire.Fault = static (_, _) => new PostriderException(PostriderError.NoListener, "No queue.");
            await ahead.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3));
            var relay = ahead.Relay();
            await relay.DrainAsync(false, default);
            await relay.EndAsync();
        }

        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.DrainAsync();

        Assert.Equal([1, 2], app.PlacedOf("k"));
        Assert.Equal([3], app.PlacedOf(""));
    }

    [Fact]
    public async Task Messages_of_a_key_wait_behind_one_that_is_tried_again_and_others_do_not()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        var fails = true;
        app.Wire.Fault = (_, body) => fails && body.Span.IndexOf(":1,"u8) > 0 ? new PostriderException(PostriderError.NoListener, "No queue.") : null;
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3, "other"), new OrderPlaced(4));
        var relay = app.Relay();

        await relay.DrainAsync(false, default);
        Assert.Equal([3, 4], app.Placed.Select(p => p.Number).Order());
        fails = false;
        _clock.Advance(TimeSpan.FromSeconds(1));
        await relay.DrainAsync(false, default);

        Assert.Equal([1, 2], app.PlacedOf("k"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_overtake_a_dead_letter_of_their_key_unless_the_order_is_kept(bool keepOrder)
    {
        await using var app = await TestApp.StartAsync(Database, _clock, configure: options => options.KeepOrderBehindDeadLetters = keepOrder);
        app.Wire.Fault = static (_, body) => body.Span.IndexOf(":1,"u8) > 0 ? new PostriderException(PostriderError.TooLarge, "Too large.") : null;
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3, "other"));
        var relay = app.Relay();

        await relay.DrainAsync(false, default);
        Assert.Equal(keepOrder ? [3] : [2, 3], app.Placed.Select(p => p.Number).Order());
        app.Wire.Fault = null;
        var letters = app.Services.GetRequiredService<OutboxDeadLetters>();
        Assert.True(await letters.RedriveAsync(Assert.Single(await DeadAsync(app)), Ct));
        await relay.DrainAsync(false, default);

        Assert.Equal(keepOrder ? [1, 2] : [2, 1], app.PlacedOf("k"));
        Assert.Empty(await DeadAsync(app));
    }

    [Fact]
    public async Task Sends_continue_the_trace_of_the_writer_and_are_counted()
    {
        // Other classes run at the same time: the activities have the writer's trace, the counts the transport's name.
        ConcurrentQueue<Activity> spans = new();
        ConcurrentQueue<(string Name, double Value, string? Outcome)> counts = new();
        using var writer = new Activity("writer").SetIdFormat(ActivityIdFormat.W3C);
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == OutboxTelemetry.Name,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span =>
            {
                if (span.TraceId == writer.TraceId)
                    spans.Enqueue(span);
            },
        };
        ActivitySource.AddActivityListener(listener);
        using var meters = new MeterListener { InstrumentPublished = static (instrument, self) => { if (instrument.Meter.Name == OutboxTelemetry.Name) self.EnableMeasurementEvents(instrument); } };
        meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Count(instrument, value, tags));
        meters.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Count(instrument, value, tags));
        meters.Start();
        await using var app = await TestApp.StartAsync(Database, _clock);
        app.Wire.Fault = static (_, body) => body.Span.IndexOf(":1,"u8) > 0 ? new PostriderException(PostriderError.TooLarge, "Too large.") : null;
        writer.Start();
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "other"));
        writer.Stop();
        _clock.Advance(TimeSpan.FromSeconds(7));
        var relay = app.Relay();
        await relay.DrainAsync(false, default);

        Assert.All(spans, span => Assert.Equal(("send placed", ActivityKind.Producer, writer.SpanId), (span.OperationName, span.Kind, span.ParentSpanId)));
        var (failed, sent) = (spans.Single(static span => span.Status == ActivityStatusCode.Error), spans.Single(static span => span.Status == ActivityStatusCode.Unset));
        Assert.Equal("Too large.", failed.StatusDescription);
        Assert.Equal(("placed", "wire"), (sent.GetTagItem("messaging.destination.name"), sent.GetTagItem("postrider.transport")));
        Assert.Equal(sent.Id, Assert.Single(app.Placed).Headers["traceparent"]);
        Assert.Contains(("postrider.outbox.sent.messages", 1.0, null), counts);
        Assert.Contains(("postrider.outbox.failed.messages", 1.0, "dead"), counts);
        Assert.Contains(("postrider.outbox.delay", 7.0, null), counts);

        void Count(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            var all = tags.ToArray().ToDictionary(static tag => tag.Key, static tag => tag.Value as string, StringComparer.Ordinal);
            if (all["postrider.transport"] == "wire")
                counts.Enqueue((instrument.Name, value, all.GetValueOrDefault("postrider.outbox.outcome")));
        }
    }

    [Fact]
    public async Task Outage_of_the_transport_costs_no_attempts()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        app.Wire.Fault = static (_, _) => new IOException("The connection is lost.");
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3));
        var relay = app.Relay();

        for (var i = 0; i < 10; i++)
            Assert.IsType<IOException>(await relay.DrainAsync(isProbe: i > 0, default));
        app.Wire.Fault = null;
        Assert.Null(await relay.DrainAsync(isProbe: true, default));

        Assert.Equal([1, 2], app.PlacedOf("k"));
        Assert.Equal([3], app.PlacedOf(""));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(250)]
    public async Task Destination_that_does_not_work_does_not_hold_up_the_others(int waiting)
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        app.Wire.Fault = static (properties, _) => properties.Type == typeof(ShipOrder).FullName ? new TimeoutException("No leader.") : null;
        await app.InTransactionAsync(async (_, dispatcher) =>
        {
            for (var i = 0; i < waiting; i++)
                await dispatcher.SendAsync(new ShipOrder(i));
        });
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3));
        var relay = app.Relay();

        // A whole batch of them looks like an outage: the next one is a test.
        if (await relay.DrainAsync(isProbe: false, default) is not null)
            Assert.Null(await relay.DrainAsync(isProbe: true, default));
        Assert.Equal([1, 2], app.PlacedOf("k"));
        Assert.Equal([3], app.PlacedOf(""));
        Assert.Equal(waiting, await Database.CountAsync("postrider_outbox where state = 0 and attempts = 0"));

        app.Wire.Fault = null;
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(await relay.DrainAsync(isProbe: false, default));
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Message_that_always_fails_while_its_destination_accepts_others_is_a_dead_letter()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        app.Wire.Fault = static (_, body) => body.Span.IndexOf(":1,"u8) > 0 ? new PostriderException(PostriderError.Configuration, "A message without a key.") : null;
        var relay = app.Relay();

        for (var attempt = 0; attempt < 3; attempt++)
        {
            await app.PublishAsync(attempt == 0 ? [new(1), new(2)] : [new(2 + attempt)]);
            Assert.Null(await relay.DrainAsync(isProbe: attempt > 0, default));
            _clock.Advance(TimeSpan.FromSeconds(10));
        }

        Assert.Equal([2, 3, 4], app.Placed.Select(static placed => placed.Number));
        Assert.Equal(3, Assert.Single(await DeadAsync(app)).Attempts);
    }

    [Fact]
    public async Task Host_sends_what_waited_when_the_transport_works_again()
    {
        await using var app = await TestApp.StartAsync(Database, relays: true, configure: static options => options.Retry = options.Retry with { BaseDelay = TimeSpan.FromMilliseconds(20), MaxDelay = TimeSpan.FromMilliseconds(50) });
        app.Wire.Fault = static (_, _) => new IOException("The connection is lost.");
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"));
        await Eventually.HoldsAsync(() => app.Wire.Sends > 3);

        app.Wire.Fault = null;

        await Eventually.HoldsAsync(() => app.Placed.Count == 2);
        Assert.Equal([1, 2], app.PlacedOf("k"));
    }

    [Fact]
    public async Task Full_queue_is_tried_again_without_end()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        app.Wire.Fault = static (_, _) => new PostriderException(PostriderError.QueueFull, "Full.");
        await app.PublishAsync(new OrderPlaced(1));
        var relay = app.Relay();

        for (var i = 0; i < 8; i++)
        {
            await relay.DrainAsync(false, default);
            _clock.Advance(TimeSpan.FromSeconds(11));
        }

        app.Wire.Fault = null;
        await relay.DrainAsync(false, default);
        Assert.Equal([1], app.Placed.Select(p => p.Number));
    }

    [Fact]
    public async Task Send_that_does_not_end_counts_as_an_outage()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        var sending = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        app.Wire.Before = async _ =>
        {
            var late = Task.Delay(TimeSpan.FromSeconds(31), _clock, CancellationToken.None);
            sending.TrySetResult();
            await late;
            throw new OperationCanceledException("As a transport that saw its token.");
        };
        await app.PublishAsync(new OrderPlaced(1));

        var draining = app.Relay().DrainAsync(isProbe: false, default).AsTask();
        await sending.Task.WaitAsync(Ct);
        _clock.Advance(TimeSpan.FromSeconds(31));

        Assert.IsType<TimeoutException>(await draining.WaitAsync(Eventually.Patience, Ct));
        Assert.Equal(1, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Expired_message_is_not_sent()
    {
        await using var app = await TestApp.StartAsync(Database, _clock);
        await app.InTransactionAsync(async (services, _) => await services.GetRequiredService<Transports.RoutedMessages>().SendAsync(
            new OrderPlaced(1), new CallOrigin { Services = services }, properties => properties with { ExpiresAt = _clock.GetUtcNow().AddSeconds(10) }));

        _clock.Advance(TimeSpan.FromSeconds(10));
        await app.DrainAsync();

        Assert.Equal(0, app.Wire.Sends);
        Assert.Contains("expired at", Assert.Single(await DeadAsync(app)).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Dead_letters_are_listed_purged_and_removed_after_their_time()
    {
        await using var app = await TestApp.StartAsync(Database, _clock, relays: true, configure: static options =>
        {
            options.KeepDeadLettersFor = TimeSpan.FromDays(1);
            (options.PollInterval, options.CleanupInterval) = (TimeSpan.FromDays(1), TimeSpan.FromHours(1));
        });
        app.Wire.Fault = static (_, _) => new ArgumentException("Not a header.");
        await app.PublishAsync([.. Enumerable.Range(0, 45).Select(static i => new OrderPlaced(i))]);
        var letters = app.Services.GetRequiredService<OutboxDeadLetters>();
        await Eventually.HoldsAsync(async () => (await DeadAsync(app)).Count == 45);

        var first = (await DeadAsync(app))[0];
        Assert.True(await letters.PurgeAsync(first, Ct));
        Assert.False(await letters.PurgeAsync(first, Ct));
        Assert.False(await letters.RedriveAsync(first, Ct));
        Assert.Equal(44, (await DeadAsync(app)).Count);

        await Eventually.HoldsAsync(async () =>
        {
            _clock.Advance(TimeSpan.FromHours(1));
            return await Database.CountAsync("postrider_outbox") == 0;
        });
    }

    [Fact]
    public async Task Large_messages_are_taken_in_pieces()
    {
        await using var app = await TestApp.StartAsync(Database, configure: static options => options.MaxBatchBytes = 50);
        var most = 0;
        var under = 0;
        app.Wire.Before = async _ =>
        {
            most = Math.Max(most, Interlocked.Increment(ref under));
            await Task.Yield();
            Interlocked.Decrement(ref under);
        };

        await app.PublishAsync([.. Enumerable.Range(0, 30).Select(static i => new OrderPlaced(i))]);
        await app.DrainAsync();

        Assert.Equal(30, app.Placed.Count);
        Assert.InRange(most, 1, 3);
    }

    internal static async Task<List<OutboxMessage>> DeadAsync(TestApp app)
    {
        var all = new List<OutboxMessage>();
        await foreach (var message in app.Services.GetRequiredService<OutboxDeadLetters>().ListAsync(Ct))
            all.Add(message);
        return all;
    }
}
