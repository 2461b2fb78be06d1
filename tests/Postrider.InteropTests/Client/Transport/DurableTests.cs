using System.Text;
using System.Threading.Channels;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.InteropTests.Client.JetStream;
using Postrider.Resilience;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.InteropTests.Client.Transport;

/// <summary>The NATS adapter's durable consumers: every way in which a message can end.</summary>
public abstract class DurableTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    private static readonly RetryPolicy Quick = DurableBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(20), MaxDelay = TimeSpan.FromMilliseconds(200) };

    private readonly Channel<Envelope> _arrived = Channel.CreateUnbounded<Envelope>();

    private NatsTransport Transport => field ??= new NatsTransport(Client);

    private string Work => $"{Name}.work";

    private string Dead => $"{Name}-dead";

    [Fact]
    public async Task Handled_message_is_acknowledged_and_leaves_the_work_queue()
    {
        var queue = await QueueAsync();
        await using var listener = await ListenAsync(Binding(), static (_, _) => { });

        await Transport.Streams.SendAsync(Envelope("one"), Ct);
        var arrived = await _arrived.Reader.ReadAsync(Ct);

        Assert.Equal("one", Text(arrived));
        Assert.Equal((1L, 1UL), (arrived.Delivery!.Count, arrived.Delivery.Sequence));
        Assert.NotNull(arrived.Delivery.StoredAt);
        Assert.Null(arrived.ReplyTo);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
    }

    [Fact]
    public async Task Failed_message_comes_again_until_it_is_handled()
    {
        var queue = await QueueAsync();
        await using var listener = await ListenAsync(Binding(), static (delivery, _) =>
        {
            if (delivery.Count < 3) delivery.Fail(new InvalidOperationException("not yet"));
        });

        await Transport.Streams.SendAsync(Envelope("patience"), Ct);
        var counts = new List<long>();
        for (var i = 0; i < 3; i++) counts.Add((await _arrived.Reader.ReadAsync(Ct)).Delivery!.Count);

        Assert.Equal([1, 2, 3], counts);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
        Assert.Null(await TryGetDeadLetterAsync());
    }

    [Fact]
    public async Task Message_whose_attempts_are_used_up_is_a_dead_letter_that_tells_everything()
    {
        var queue = await QueueAsync();
        await using var listener = await ListenAsync(Binding(), static (delivery, _) => delivery.Fail(new InvalidOperationException("never\nat all")));
        var envelope = Envelope("lost cause");
        envelope.Headers.Add("Colour", "blue");

        await Transport.Streams.SendAsync(envelope, Ct);
        var dead = await DeadLetterAsync();

        Assert.Equal("lost cause", dead.Data);
        Assert.Equal("blue", dead.Headers!["Colour"]);
        Assert.Equal("Exhausted", dead.Headers[DeadLetterHeaders.Reason]);
        Assert.Equal(Work, dead.Headers[DeadLetterHeaders.Subject]);
        Assert.Equal(Name, dead.Headers[DeadLetterHeaders.Stream]);
        Assert.Equal("worker", dead.Headers[DeadLetterHeaders.Consumer]);
        Assert.Equal("1", dead.Headers[DeadLetterHeaders.Sequence]);
        Assert.Equal("3", dead.Headers[DeadLetterHeaders.Deliveries]);
        Assert.Equal("never at all", dead.Headers[HeaderNames.Error]);
        Assert.Equal("InvalidOperationException", dead.Headers[HeaderNames.ErrorCode]);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
    }

    [Fact]
    public async Task Unreadable_and_refused_messages_are_dead_letters_at_once()
    {
        await QueueAsync();
        await using var listener = await ListenAsync(Binding(), static (delivery, envelope) =>
        {
            if (Text(envelope) == "poison") delivery.Fail(new FormatException("no message"), isUnreadable: true);
            else delivery.Fail(new PostriderException(PostriderError.Refused, "no such article"));
        });

        await Transport.Streams.SendAsync(Envelope("poison"), Ct);
        var unreadable = await DeadLetterAsync();
        await Transport.Streams.SendAsync(Envelope("refused"), Ct);
        var final = await DeadLetterAsync(2);

        Assert.Equal(("Unreadable", "1"), (unreadable.Headers![DeadLetterHeaders.Reason], unreadable.Headers[DeadLetterHeaders.Deliveries]));
        Assert.Equal(("Final", "Refused"), (final.Headers![DeadLetterHeaders.Reason], final.Headers[HeaderNames.ErrorCode]));
    }

    [Fact]
    public async Task Message_that_kills_every_process_that_takes_it_is_put_away()
    {
        var queue = await QueueAsync();
        await Transport.Streams.SendAsync(Envelope("fatal"), Ct);
        var consumer = await queue.CreateConsumerAsync(new ConsumerConfig { DurableName = "worker", FilterSubject = Work, AckWait = TimeSpan.FromMilliseconds(100), MaxDeliver = -1 }, Ct);
        // Three processes that take it and are never heard of again.
        for (var i = 1; i <= 3; i++) Assert.Equal(i, (await consumer.NextAsync<string>(ct: Ct))!.Value.Metadata.DeliveryCount);

        await using var listener = await ListenAsync(Binding() with { AckWait = TimeSpan.FromMilliseconds(100) }, static (_, _) => Assert.Fail("It was handled."));
        var dead = await DeadLetterAsync();

        Assert.Equal("Unanswered", dead.Headers![DeadLetterHeaders.Reason]);
        Assert.False(_arrived.Reader.TryRead(out _));
    }

    [Fact]
    public async Task Slow_handler_keeps_its_message_beyond_the_ack_wait()
    {
        var queue = await QueueAsync();
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = await Transport.ListenAsync(
            Binding() with { AckWait = TimeSpan.FromMilliseconds(400) },
            async (envelope, ct) =>
            {
                await _arrived.Writer.WriteAsync(envelope, ct);
                await release.Task.WaitAsync(ct);
                return null;
            },
            Ct);

        await Transport.Streams.SendAsync(Envelope("slow"), Ct);
        await _arrived.Reader.ReadAsync(Ct);
        // Another process waits for it longer than the ack wait and gets nothing.
        var other = await (await queue.GetConsumerAsync("worker", Ct)).NextAsync<string>(TimeSpan.FromSeconds(2), ct: Ct);
        release.SetResult();

        Assert.Null(other);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
    }

    [Fact]
    public async Task Disposed_listener_finishes_what_runs_and_gives_back_what_waits()
    {
        var queue = await QueueAsync();
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var finished = 0;
        var listener = await Transport.ListenAsync(
            Binding() with { MaxConcurrency = 2, AckWait = TimeSpan.FromMinutes(10) },
            async (envelope, ct) =>
            {
                await _arrived.Writer.WriteAsync(envelope, ct);
                await release.Task.WaitAsync(ct);
                Interlocked.Increment(ref finished);
                return null;
            },
            Ct);
        for (var i = 0; i < 10; i++) await Transport.Streams.SendAsync(Envelope($"{i}"), Ct);
        for (var i = 0; i < 2; i++) await _arrived.Reader.ReadAsync(Ct);
        await Eventually.HoldsAsync(async () => (await (await queue.GetConsumerAsync("worker", Ct)).RefreshAsync(Ct)).AckPendingCount == 4);

        var disposing = listener.DisposeAsync();
        // The ack wait is ten minutes: what comes soon was given back.
        var rest = await (await queue.GetConsumerAsync("worker", Ct)).FetchAsync<string>(8, ct: Ct).ToListAsync(Ct);
        Assert.False(disposing.IsCompleted);
        release.SetResult();
        await disposing;

        Assert.Equal(8, rest.Count);
        Assert.Equal(2, finished);
        Assert.False(_arrived.Reader.TryRead(out _));
    }

    [Fact]
    public async Task No_more_run_at_once_than_the_binding_allows()
    {
        await QueueAsync();
        var (running, most, done) = (0, 0, 0);
        await using var listener = await Transport.ListenAsync(
            Binding() with { MaxConcurrency = 3 },
            async (_, ct) =>
            {
                var now = Interlocked.Increment(ref running);
                InterlockedMax(ref most, now);
                await Task.Delay(5, ct);
                Interlocked.Decrement(ref running);
                Interlocked.Increment(ref done);
                return null;
            },
            Ct);

        for (var i = 0; i < 40; i++) await Transport.Streams.SendAsync(Envelope($"{i}"), Ct);
        await Eventually.HoldsAsync(() => Volatile.Read(ref done) >= 40);

        Assert.InRange(most, 1, 3);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task Handlers_start_in_the_order_of_the_messages_where_the_binding_asks_for_it(int prefetch)
    {
        await QueueAsync();
        for (var i = 0; i < 200; i++) await Transport.Streams.SendAsync(Envelope($"{i}"), Ct);
        var transport = new NatsTransport(Client, new NatsOptions { Throughput = new() { PrefetchFactor = prefetch } });
        var (begun, running, most) = (new List<string>(), 0, 0);
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

        await using var listener = await transport.ListenAsync(
            Binding() with { OrderByKey = true, MaxConcurrency = 8 },
            async (envelope, _) =>
            {
                // Called one after the other: nothing else writes to the list.
                begun.Add(Text(envelope));
                InterlockedMax(ref most, Interlocked.Increment(ref running));
                await Task.Yield();
                Interlocked.Decrement(ref running);
                if (begun.Count == 200) all.TrySetResult();
                return null;
            },
            Ct);
        await all.Task.WaitAsync(Ct);

        Assert.Equal(Enumerable.Range(0, 200).Select(i => $"{i}"), begun);
        Assert.InRange(most, 1, 8);
    }

    [Fact]
    public async Task Messages_of_a_key_wait_behind_its_dead_letter_and_follow_it_when_it_is_redriven()
    {
        await QueueAsync();
        var (handled, isBroken) = (Channel.CreateUnbounded<string>(), true);
        await using var listener = await Transport.ListenAsync(
            Binding() with { OrderByKey = true, KeepOrderBehindDeadLetters = true },
            (envelope, ct) =>
            {
                if (Text(envelope) == "a1" && Volatile.Read(ref isBroken)) throw new PostriderException(PostriderError.Refused, "not yet");
                handled.Writer.TryWrite(Text(envelope));
                return default;
            },
            Ct);
        var sender = Transport.Streams.OpenSender(Work);
        foreach (var text in (string[])["a1", "a2", "b1"])
            await sender.SendAsync(new MessageProperties { MessageId = $"{Work}-{text}", Key = text[..1] }, Encoding.UTF8.GetBytes(text), Ct);
        Assert.Equal("b1", await handled.Reader.ReadAsync(Ct));
        await Eventually.HoldsAsync(async () => await Transport.OpenDeadLetters(Dead).ListAsync(DeadLetterQuery.All, Ct).CountAsync(Ct) == 2);

        Volatile.Write(ref isBroken, false);
        await Transport.OpenDeadLetters(Dead).RedriveAsync(DeadLetterQuery.All, Ct);
        var redriven = new[] { await handled.Reader.ReadAsync(Ct), await handled.Reader.ReadAsync(Ct) };
        await sender.SendAsync(new MessageProperties { MessageId = $"{Work}-a3", Key = "a" }, "a3"u8.ToArray(), Ct);

        Assert.Equal(["a1", "a2"], redriven);
        Assert.Equal("a3", await handled.Reader.ReadAsync(Ct));
    }

    [Fact]
    public async Task Same_message_sent_twice_is_stored_once()
    {
        var queue = await QueueAsync();
        var first = Envelope("once");
        first.Headers.Add(HeaderNames.IdempotencyKey, "order-7");
        var again = Envelope("once");
        again.Headers.Add(HeaderNames.IdempotencyKey, "order-7");
        again.Headers.Add(HeaderNames.MessageId, "another");

        await Transport.Streams.SendAsync(first, Ct);
        var answer = await Transport.Streams.RequestAsync(again, Ct);

        Assert.True(answer.Body.IsEmpty);
        Assert.Equal(1UL, (await queue.RefreshAsync(ct: Ct)).State.LastSequence);
    }

    [Fact]
    public async Task Consumer_that_somebody_deletes_is_made_again()
    {
        var queue = await QueueAsync();
        await using var listener = await ListenAsync(Binding(), static (_, _) => { });
        await Transport.Streams.SendAsync(Envelope("before"), Ct);
        Assert.Equal("before", Text(await _arrived.Reader.ReadAsync(Ct)));
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);

        await queue.DeleteConsumerAsync("worker", Ct);
        await Transport.Streams.SendAsync(Envelope("after"), Ct);

        Assert.Equal("after", Text(await _arrived.Reader.ReadAsync(Ct)));
    }

    [Fact]
    public async Task Bound_consumer_is_taken_as_it_is()
    {
        var queue = await QueueAsync();
        await queue.CreateConsumerAsync(new ConsumerConfig { DurableName = "theirs", MaxDeliver = 2, AckWait = TimeSpan.FromSeconds(7) }, Ct);
        await using var listener = await ListenAsync(
            Binding() with { Consumer = "theirs", BindOnly = true }, static (delivery, _) => delivery.Fail(new InvalidOperationException("no")));

        await Transport.Streams.SendAsync(Envelope("twice"), Ct);
        var dead = await DeadLetterAsync();

        // The consumer would have given up behind the second delivery, and told nobody.
        Assert.Equal("2", dead.Headers![DeadLetterHeaders.Deliveries]);
        Assert.Equal(TimeSpan.FromSeconds(7), (await queue.GetConsumerAsync("theirs", Ct)).Info.Config.AckWait);
    }

    [Fact]
    public async Task Dead_letter_that_cannot_be_stored_does_not_take_the_message_away()
    {
        var queue = await QueueAsync();
        await using var listener = await ListenAsync(
            Binding() with { Retry = Quick with { MaxAttempts = 1 } }, static (delivery, _) => delivery.Fail(new InvalidOperationException("no")));
        await Context.DeleteStreamAsync(Dead, Ct);

        await Transport.Streams.SendAsync(Envelope("kept"), Ct);
        await _arrived.Reader.ReadAsync(Ct);
        await Context.CreateStreamAsync(new StreamConfig { Name = Dead, Subjects = [Dead], Storage = StreamStorage.Memory }, Ct);
        var dead = await DeadLetterAsync();

        Assert.Equal("kept", dead.Data);
        await Eventually.HoldsAsync(async () => (await queue.RefreshAsync(ct: Ct)).State.Messages == 0);
    }

    [Fact]
    public async Task Wrong_bindings_are_refused_with_what_is_wrong()
    {
        await QueueAsync();
        await Context.CreateConsumerAsync(Dead, new ConsumerConfig { DurableName = "none", AckPolicy = AckPolicy.None }, Ct);
        (DurableBinding Binding, PostriderError Error, string Words)[] wrong =
        [
            (Binding() with { MaxConcurrency = 0 }, PostriderError.Configuration, "MaxConcurrency is 0"),
            (Binding() with { Group = "g" }, PostriderError.Configuration, "Group"),
            (Binding() with { AckWait = TimeSpan.Zero }, PostriderError.Configuration, "AckWait"),
            (Binding() with { Retry = Quick with { MaxAttempts = 0 } }, PostriderError.Configuration, "MaxAttempts is 0"),
            (Binding() with { Retry = Quick with { Budget = new RetryBudget() } }, PostriderError.Configuration, "Budget"),
            (Binding() with { DeadLetter = "dead.*" }, PostriderError.Configuration, "is not a subject that a message can be sent to"),
            (Binding() with { DeadLetter = Work }, PostriderError.Configuration, "is a subject of the binding itself"),
            (Binding() with { DeadLetter = "nobody.keeps.this" }, PostriderError.NoListener, "No stream has the subject 'nobody.keeps.this'"),
            (new DurableBinding("nobody.listens.here") { Consumer = "worker" }, PostriderError.NoListener, "No stream has the subject 'nobody.listens.here'"),
            (new DurableBinding(Dead) { Consumer = "none", BindOnly = true }, PostriderError.Configuration, "has AckPolicy None"),
        ];

        foreach (var (binding, expected, words) in wrong)
        {
            var error = await Assert.ThrowsAsync<PostriderException>(async () => await ListenAsync(binding, static (_, _) => { }));

            Assert.Equal(expected, error.Error);
            Assert.Contains(words, error.Message, StringComparison.Ordinal);
        }

        var plain = await Assert.ThrowsAsync<PostriderException>(async () => await Transport.Streams.ListenAsync(new TransportBinding(Work), static (_, _) => default, Ct));
        Assert.Contains(nameof(DurableBinding), plain.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sending_where_no_stream_listens_is_an_error()
    {
        var transport = new NatsStreamTransport(Client, NatsStreamTransport.DefaultRetry with { MaxAttempts = 2, MaxDelay = TimeSpan.FromMilliseconds(100) });

        var error = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(new Envelope { Destination = "nobody.listens.here" }, Ct));

        Assert.Equal(PostriderError.NoListener, error.Error);
    }

    private static string Text(Envelope envelope) => Encoding.UTF8.GetString(envelope.Body.Span);

    private static void InterlockedMax(ref int target, int value)
    {
        for (var seen = Volatile.Read(ref target); value > seen; seen = Volatile.Read(ref target))
            if (Interlocked.CompareExchange(ref target, value, seen) == seen) return;
    }

    private DurableBinding Binding() => new(Work) { Consumer = "worker", Retry = Quick, DeadLetter = Dead, MaxConcurrency = 4 };

    private Envelope Envelope(string body) => new() { Destination = Work, Body = Encoding.UTF8.GetBytes(body) };

    private async Task<Postrider.Client.JetStream.JetStreamStream> QueueAsync()
    {
        await Context.CreateStreamAsync(new StreamConfig { Name = Dead, Subjects = [Dead], Storage = StreamStorage.Memory }, Ct);
        return await StreamAsync(config => config with { Retention = StreamRetention.WorkQueue });
    }

    private ValueTask<IAsyncDisposable> ListenAsync(DurableBinding binding, Action<MessageDelivery, Envelope> handle)
        => Transport.ListenAsync(
            binding,
            (envelope, _) =>
            {
                handle(envelope.Delivery!, envelope);
                // A copy: the bytes are the transport's.
                _arrived.Writer.TryWrite(new Envelope { Destination = envelope.Destination, ReplyTo = envelope.ReplyTo, Headers = envelope.Headers, Body = envelope.Body.ToArray(), Delivery = envelope.Delivery });
                return default;
            },
            Ct);

    private Task<Postrider.Client.JetStream.StoredMessage<string>> DeadLetterAsync(ulong sequence = 1)
        => Eventually.GivesAsync(() => TryGetDeadLetterAsync(sequence));

    private async Task<Postrider.Client.JetStream.StoredMessage<string>?> TryGetDeadLetterAsync(ulong sequence = 1)
        => await (await Context.GetStreamAsync(Dead, ct: Ct)).GetMessageAsync<string>(sequence, ct: Ct);
}
