using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;
using Postrider.Transports;

namespace Postrider.OutboxTests.Cases;

/// <summary>A message that is delivered again is acknowledged without a call.</summary>
public abstract class InboxCases(OutboxDatabase kind, PostgresServer server) : DatabaseCases(kind, server)
{
    private readonly TestClock _clock = new();

    [Fact]
    public async Task Duplicate_is_acknowledged_without_a_call()
    {
        await using var app = await StartAsync();

        await DeliverAsync(app, 1, "id-1");
        await DeliverAsync(app, 1, "id-1");
        await DeliverAsync(app, 1, "id-2");
        await app.DrainAsync();

        Assert.Equal([1, 1], app.Log.Calls);
        Assert.Equal(2, await Database.CountAsync("handled"));
        Assert.Equal([1, 1], app.PlacedOf("shipped"));
    }

    [Fact]
    public async Task Copies_at_once_have_one_effect()
    {
        await using var app = await StartAsync();

        await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => Task.Run(() => DeliverAsync(app, 1, "id-1"), Ct)));

        Assert.Equal(1, await Database.CountAsync("handled"));
        Assert.Equal(1, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Failed_message_leaves_nothing_and_is_handled_when_it_comes_again()
    {
        await using var app = await StartAsync();
        app.Log.Failing = static _ => true;
        await DeliverAsync(app, 1, "id-1");
        Assert.Equal((0, 0, 0), (await Database.CountAsync("handled"), await Database.CountAsync("postrider_inbox"), await Database.CountAsync("postrider_outbox")));

        app.Log.Failing = null;
        await DeliverAsync(app, 1, "id-1");

        Assert.Equal(1, await Database.CountAsync("handled"));
        Assert.Equal([1, 1], app.Log.Calls);
    }

    [Fact]
    public async Task Other_service_handles_the_same_message()
    {
        await using var app = await StartAsync();
        await using var other = await StartAsync(name: "billing");

        await DeliverAsync(app, 1, "id-1");
        await DeliverAsync(other, 1, "id-1");

        Assert.Equal(2, await Database.CountAsync("handled"));
    }

    [Fact]
    public async Task Handled_messages_are_forgotten_after_their_time()
    {
        await using var app = await StartAsync(relays: true);
        await DeliverAsync(app, 1, "id-1");

        await Eventually.HoldsAsync(async () =>
        {
            _clock.Advance(TimeSpan.FromMinutes(90));
            return await Database.CountAsync("postrider_inbox") == 0;
        });

        Assert.True(_clock.GetUtcNow() - new TestClock().GetUtcNow() > TimeSpan.FromDays(7));
    }

    [Theory]
    [InlineData("nul\0", "NUL")]
    [InlineData("half", "half of a surrogate pair")]
    public async Task Message_without_a_usable_id_is_a_dead_letter(string id, string words)
    {
        await using var app = await StartAsync();

        // A name of a test has no such character.
        await DeliverAsync(app, 1, id == "half" ? "half \ud800" : id);

        Assert.Contains(words, (await DeadLetterAsync(app)).Headers[HeaderNames.Error], StringComparison.Ordinal);
        Assert.Empty(app.Log.Calls);
    }

    [Fact]
    public async Task Message_without_an_id_is_known_by_its_place_in_the_store()
    {
        await using var app = await StartAsync();

        await DeliverAsync(app, 1, id: null);
        await DeliverAsync(app, 2, id: "");

        Assert.Equal([1, 2], app.Log.Calls);
        Assert.Equal(1, await Database.CountAsync("postrider_inbox where id like 'ships/2/%'"));
    }

    [Fact]
    public async Task Message_without_an_id_or_a_place_is_not_handled()
    {
        await using var app = await StartAsync();

        await app.Wire.SendAsync(new Envelope { Destination = "plain", Body = """{"number":1}"""u8.ToArray() }, Ct);
        await app.Wire.SendAsync(new Envelope { Destination = "plain", Headers = new() { { HeaderNames.MessageId, "id-2" } }, Body = """{"number":2}"""u8.ToArray() }, Ct);

        Assert.Equal([2], app.Log.Calls);
    }

    [Fact]
    public async Task Id_that_is_too_long_is_a_dead_letter()
    {
        await using var app = await StartAsync();

        await DeliverAsync(app, 1, new string('x', 201));

        Assert.Contains("has 201 characters; at most 200 are allowed", (await DeadLetterAsync(app)).Headers[HeaderNames.Error], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Body_that_is_no_message_leaves_no_row()
    {
        await using var app = await StartAsync();

        await app.Wire.SendAsync(new Envelope { Destination = "ships", Headers = new() { { HeaderNames.MessageId, "id-1" } }, Body = "{"u8.ToArray() }, Ct);

        Assert.Equal(nameof(DeadLetterReason.Unreadable), (await DeadLetterAsync(app)).Headers[DeadLetterHeaders.Reason]);
        Assert.Equal(0, await Database.CountAsync("postrider_inbox"));
    }

    [Fact]
    public async Task Request_with_a_response_is_refused_at_the_start()
    {
        var refused = await Assert.ThrowsAsync<PostriderException>(() => TestApp.StartAsync(
            Database, bind: static transport => transport.UseInbox("shipping").Request<CountOrders, long>(new TransportBinding("count"))));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains("the inbox 'shipping' has no response", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Handler_that_dies_at_any_statement_has_one_effect_in_the_end()
    {
        var point = 0;
        CrashPlan plan;
        do
        {
            plan = new CrashPlan(++point);
            var id = $"id-{point}";
            await using (var dying = await StartAsync(new CrashingSource(Database.Source, plan)))
                await DeliverAsync(dying, point, id);
            await using var other = await StartAsync();
            await DeliverAsync(other, point, id);
            await DeliverAsync(other, point, id);

            Assert.Equal(1, await Database.CountAsync($"handled where number = {point}"));
            Assert.Equal(point, await Database.CountAsync("postrider_outbox"));
            Assert.Equal(point, await Database.CountAsync("postrider_inbox"));
        }
        while (plan.IsDead);

        Assert.True(point > 10, $"Only {point - 1} points were tried.");
    }

    private readonly System.Threading.Channels.Channel<Envelope> _dead = System.Threading.Channels.Channel.CreateUnbounded<Envelope>();

    private async Task<Envelope> DeadLetterAsync(TestApp app)
    {
        Assert.NotNull(app);
        return await _dead.Reader.ReadAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct);
    }

    private async Task<TestApp> StartAsync(System.Data.Common.DbDataSource? source = null, string name = "shipping", bool relays = false)
    {
        var app = await TestApp.StartAsync(
            Database, _clock, relays, source: source,
            configure: static options => (options.PollInterval, options.CleanupInterval) = (TimeSpan.FromDays(1), TimeSpan.FromHours(1)),
            bind: transport => transport.UseInbox(name).Command<ShipOrder>(new AtLeastOnceBinding("ships")
            {
                MaxConcurrency = 20,
                DeadLetter = "ships.dead",
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 1 },
            }).Command<ShipOrder>(new TransportBinding("plain")));
        await app.Wire.ListenAsync(new TransportBinding("ships.dead"), async (envelope, _) =>
        {
            await _dead.Writer.WriteAsync(new Envelope { Destination = envelope.Destination, Headers = envelope.Headers });
            return null;
        }, Ct);
        return app;
    }

    // Completes when the message is settled.
    private static async Task DeliverAsync(TestApp app, long number, string? id)
    {
        var envelope = new Envelope { Destination = "ships", Body = Encoding.UTF8.GetBytes($$"""{"number":{{number}}}""") };
        if (id is not null)
            envelope.Headers[HeaderNames.MessageId] = id;
        await app.Wire.SendAsync(envelope, Ct);
    }
}
