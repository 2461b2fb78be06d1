using System.Diagnostics;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

public abstract class ConsumeTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    [Fact]
    public async Task Consumer_is_created_found_changed_listed_and_deleted()
    {
        var stream = await StreamAsync();

        var made = await stream.CreateConsumerAsync(
            new ConsumerConfig { DurableName = "work", FilterSubject = $"{Name}.a", AckWait = TimeSpan.FromSeconds(7), MaxDeliver = 4, Backoff = [TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)] }, Ct);
        await made.UpdateAsync(made.Info.Config with { Description = "changed" }, Ct);
        var found = await stream.GetConsumerAsync("work", Ct);
        var refused = await Assert.ThrowsAsync<JetStreamException>(() => stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "work", FilterSubject = $"{Name}.b" }, Ct));
        var names = await stream.ListConsumerNamesAsync(Ct).ToListAsync(Ct);
        var infos = await stream.ListConsumersAsync(Ct).ToListAsync(Ct);
        await stream.DeleteConsumerAsync("work", Ct);
        var gone = await Assert.ThrowsAsync<JetStreamException>(() => stream.GetConsumerAsync("work", Ct));

        Assert.Equal("changed", found.Info.Config.Description);
        Assert.Equal([TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)], found.Info.Config.Backoff!);
        Assert.Equal((AckPolicy.Explicit, $"{Name}.a", 4), (found.Info.Config.AckPolicy, found.Info.Config.FilterSubject, found.Info.Config.MaxDeliver));
        Assert.Contains(refused.ErrorCode, new[] { JetStreamErrors.ConsumerExists, JetStreamErrors.ConsumerNameExists });
        Assert.Equal(["work"], names);
        Assert.Equal("work", Assert.Single(infos).Name);
        Assert.Equal(JetStreamErrors.ConsumerNotFound, gone.ErrorCode);
    }

    [Fact]
    public async Task Update_of_a_consumer_that_is_not_there_is_refused()
    {
        var stream = await StreamAsync();

        var error = await Assert.ThrowsAsync<JetStreamException>(() => stream.UpdateConsumerAsync(new ConsumerConfig { DurableName = "none" }, Ct));

        Assert.Equal(JetStreamErrors.ConsumerDoesNotExist, error.ErrorCode);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(500)]
    public async Task Consume_brings_everything_once_in_order(int window)
    {
        var stream = await StreamAsync();
        await using var publisher = Context.CreatePublisher();
        for (var i = 1; i <= 3000; i++) await publisher.PostAsync($"{Name}.n", i, ct: Ct);
        await publisher.FlushAsync(Ct);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "all" }, Ct);

        var got = new List<int>();
        await foreach (var message in consumer.ConsumeAsync<int>(new ConsumeOptions { MaxMessages = window }, ct: Ct))
        {
            got.Add(message.Data);
            await message.AckAsync(Ct);
            if (got.Count == 3000) break;
        }

        Assert.Equal(Enumerable.Range(1, 3000), got);
        await Eventually.HoldsAsync(async () => (await consumer.RefreshAsync(Ct)).AckFloor.StreamSequence == 3000);
    }

    [Fact]
    public async Task Consume_with_a_limit_of_bytes_brings_everything()
    {
        var stream = await StreamAsync();
        for (var i = 0; i < 200; i++) await Context.PublishAsync($"{Name}.n", new byte[1000], ct: Ct);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "bytes" }, Ct);

        var got = 0;
        await foreach (var message in consumer.ConsumeAsync<byte[]>(new ConsumeOptions { MaxBytes = 10_000 }, ct: Ct))
        {
            await message.AckAsync(Ct);
            if (++got == 200) break;
        }

        Assert.Equal(200, got);
    }

    [Fact]
    public async Task Message_larger_than_the_limit_of_bytes_is_an_error()
    {
        var stream = await StreamAsync();
        await Context.PublishAsync($"{Name}.n", new byte[5000], ct: Ct);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "bytes" }, Ct);

        var error = await Assert.ThrowsAsync<NatsClientException>(async () =>
        {
            await foreach (var message in consumer.ConsumeAsync<byte[]>(new ConsumeOptions { MaxBytes = 1000 }, ct: Ct)) Assert.Fail($"It came: {message.SizeBytes}");
        });

        Assert.Equal(NatsErrorCode.PayloadTooLarge, error.Code);
    }

    [Fact]
    public async Task Messages_that_come_later_reach_a_consumer_that_waits()
    {
        var stream = await StreamAsync();
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "late" }, Ct);
        var reading = Task.Run(async () =>
        {
            var got = new List<int>();
            await foreach (var message in consumer.ConsumeAsync<int>(new ConsumeOptions { Expires = TimeSpan.FromSeconds(1), MaxMessages = 5 }, ct: Ct))
            {
                got.Add(message.Data);
                if (got.Count == 6) break;
            }
            return got;
        });

        await PublishAsync(3);
        await Task.Delay(1500, Ct);
        await PublishAsync(3);

        Assert.Equal([1, 2, 3, 1, 2, 3], await reading);
    }

    [Fact]
    public async Task Message_knows_where_it_comes_from()
    {
        var stream = await StreamAsync();
        await PublishAsync(3);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "meta", DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = 2 }, Ct);

        var metadata = (await consumer.NextAsync<int>(ct: Ct))!.Value.Metadata;

        Assert.Equal((Name, "meta", 2UL, 1UL, 1L, 1UL), (metadata.Stream, metadata.Consumer, metadata.StreamSequence, metadata.ConsumerSequence, metadata.DeliveryCount, metadata.Pending));
        Assert.InRange(metadata.Time, TimeProvider.System.GetUtcNow().AddMinutes(-1), TimeProvider.System.GetUtcNow().AddMinutes(1));
        Assert.Null(metadata.Domain);
    }

    [Fact]
    public async Task Fetch_ends_at_its_number_at_its_time_and_with_what_is_there()
    {
        var stream = await StreamAsync();
        await PublishAsync(10);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "fetch", AckPolicy = AckPolicy.None }, Ct);

        var full = await consumer.FetchAsync<int>(4, ct: Ct).ToListAsync(Ct);
        var there = await consumer.FetchAsync<int>(100, new FetchOptions { NoWait = true }, ct: Ct).ToListAsync(Ct);
        var nothing = await consumer.FetchAsync<int>(100, new FetchOptions { NoWait = true }, ct: Ct).ToListAsync(Ct);
        var clock = Stopwatch.StartNew();
        var late = await consumer.FetchAsync<int>(5, new FetchOptions { Expires = TimeSpan.FromMilliseconds(300) }, ct: Ct).ToListAsync(Ct);

        Assert.Equal([1, 2, 3, 4], full.Select(message => message.Data));
        Assert.Equal([5, 6, 7, 8, 9, 10], there.Select(message => message.Data));
        Assert.Empty(nothing);
        Assert.Empty(late);
        Assert.InRange(clock.ElapsedMilliseconds, 250, 60_000);
    }

    [Fact]
    public async Task Next_is_one_message_or_none()
    {
        var stream = await StreamAsync();
        await PublishAsync(1);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "next" }, Ct);

        var one = await consumer.NextAsync<int>(ct: Ct);
        await one!.Value.AckAndConfirmAsync(ct: Ct);
        var none = await consumer.NextAsync<int>(TimeSpan.FromMilliseconds(100), ct: Ct);

        Assert.Equal(1, one.Value.Data);
        Assert.Null(none);
        Assert.Equal(0, (await consumer.RefreshAsync(Ct)).AckPendingCount);
    }

    [Fact]
    public async Task Refused_message_comes_again_after_its_delay_and_terminated_never()
    {
        var stream = await StreamAsync();
        await PublishAsync(2);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "nak", AckWait = TimeSpan.FromSeconds(30) }, Ct);
        var clock = new Stopwatch();
        var got = new List<(int Data, long Count)>();

        await foreach (var message in consumer.ConsumeAsync<int>(ct: Ct))
        {
            got.Add((message.Data, message.Metadata.DeliveryCount));
            if (message.Data == 2)
            {
                await message.TerminateAsync("never wanted", Ct);
                continue;
            }
            if (got.Count > 2) break;
            clock.Start();
            await message.NakAsync(TimeSpan.FromMilliseconds(400), Ct);
        }

        Assert.Equal([(1, 1), (2, 1), (1, 2)], got);
        Assert.InRange(clock.ElapsedMilliseconds, 350, 60_000);
    }

    [Fact]
    public async Task Message_in_progress_does_not_come_again()
    {
        var stream = await StreamAsync();
        await PublishAsync(1);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "slow", AckWait = TimeSpan.FromMilliseconds(400) }, Ct);

        var message = (await consumer.NextAsync<int>(ct: Ct))!.Value;
        using (message.KeepInProgress(TimeSpan.FromMilliseconds(100)))
        {
            Assert.Null(await consumer.NextAsync<int>(TimeSpan.FromMilliseconds(1200), ct: Ct));
        }
        var again = await consumer.NextAsync<int>(TimeSpan.FromSeconds(30), ct: Ct);

        Assert.Equal(2, again!.Value.Metadata.DeliveryCount);
    }

    [Fact]
    public async Task Acknowledgement_of_one_counts_for_all_before()
    {
        var stream = await StreamAsync();
        await PublishAsync(10);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "all", AckPolicy = AckPolicy.All }, Ct);

        var batch = await consumer.FetchAsync<int>(10, ct: Ct).ToListAsync(Ct);
        await batch[6].AckAndConfirmAsync(ct: Ct);

        Assert.Equal((7UL, 3), ((await consumer.RefreshAsync(Ct)).AckFloor.StreamSequence, consumer.Info.AckPendingCount));
    }

    [Fact]
    public async Task Consumer_that_is_deleted_ends_its_readers_with_an_error()
    {
        var stream = await StreamAsync();
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "doomed" }, Ct);
        var reading = Task.Run(async () =>
        {
            await foreach (var message in consumer.ConsumeAsync<int>(ct: Ct)) Assert.Fail($"A message came: {message.Data}");
        });

        await Eventually.HoldsAsync(async () => (await consumer.RefreshAsync(Ct)).WaitingCount > 0);
        await consumer.DeleteAsync(Ct);
        var error = await Assert.ThrowsAsync<NatsClientException>(() => reading);

        Assert.Equal(NatsErrorCode.ConsumerEnded, error.Code);
    }

    [Fact]
    public async Task Consumer_that_is_not_there_any_more_ends_its_readers_with_an_error()
    {
        var stream = await StreamAsync();
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "gone" }, Ct);
        await consumer.DeleteAsync(Ct);

        var error = await Assert.ThrowsAsync<NatsClientException>(async () =>
        {
            await foreach (var message in consumer.ConsumeAsync<int>(ct: Ct)) Assert.Fail($"A message came: {message.Data}");
        });

        Assert.Equal(NatsErrorCode.ConsumerEnded, error.Code);
    }

    [Fact]
    public async Task Two_readers_share_a_consumer()
    {
        var stream = await StreamAsync();
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "shared" }, Ct);
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var got = new System.Collections.Concurrent.ConcurrentBag<int>();
        var readers = Enumerable.Range(0, 2).Select(_ => consumer.ProcessAsync<int>(
            (message, _) =>
            {
                got.Add(message.Data);
                if (got.Count == 200) enough.CancelAfter(50);
                return default;
            },
            new ProcessOptions { Consume = new ConsumeOptions { MaxMessages = 10 } },
            ct: enough.Token)).ToArray();

        await PublishAsync(200);
        await Task.WhenAll(readers);

        Assert.Equal(Enumerable.Range(1, 200), got.Order());
    }

    [Fact]
    public async Task Handler_that_throws_gets_the_message_again_after_the_delay()
    {
        var stream = await StreamAsync();
        await PublishAsync(4);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "handler" }, Ct);
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var failed = new List<(ulong Sequence, string Error)>();
        var done = new System.Collections.Concurrent.ConcurrentBag<int>();

        await consumer.ProcessAsync<int>(
            (message, _) =>
            {
                if (message.Data == 3 && message.Metadata.DeliveryCount == 1) throw new InvalidOperationException("not yet");
                done.Add(message.Data);
                if (done.Count == 4) enough.Cancel();
                return default;
            },
            new ProcessOptions
            {
                Concurrency = 3,
                RetryDelay = count => TimeSpan.FromMilliseconds(50 * count),
                Failed = (metadata, error) => failed.Add((metadata.StreamSequence, error.Message)),
            },
            ct: enough.Token);

        Assert.Equal([1, 2, 3, 4], done.Order());
        Assert.Equal([(3UL, "not yet")], failed);
        await Eventually.HoldsAsync(async () => (await consumer.RefreshAsync(Ct)).AckFloor.StreamSequence == 4);
    }

    [Fact]
    public async Task Paused_consumer_delivers_nothing_until_it_is_resumed()
    {
        var stream = await StreamAsync();
        await PublishAsync(1);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "pause" }, Ct);

        var remaining = await consumer.PauseAsync(TimeProvider.System.GetUtcNow().AddMinutes(5), Ct);
        var whilePaused = await consumer.NextAsync<int>(TimeSpan.FromMilliseconds(200), ct: Ct);
        await consumer.ResumeAsync(Ct);
        var resumed = await consumer.NextAsync<int>(TimeSpan.FromSeconds(30), ct: Ct);

        Assert.InRange(remaining, TimeSpan.FromMinutes(4), TimeSpan.FromMinutes(5));
        Assert.Null(whilePaused);
        Assert.Equal(1, resumed!.Value.Data);
    }

    [Fact]
    public async Task Consumer_begins_again_where_it_is_told()
    {
        var stream = await StreamAsync();
        await PublishAsync(5);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "reset" }, Ct);
        foreach (var message in await consumer.FetchAsync<int>(5, ct: Ct).ToListAsync(Ct)) await message.AckAndConfirmAsync(ct: Ct);

        await consumer.ResetAsync(4, Ct);
        var again = await consumer.FetchAsync<int>(5, new FetchOptions { NoWait = true }, ct: Ct).ToListAsync(Ct);

        Assert.Equal([4, 5], again.Select(message => message.Data));
    }

    [Fact]
    public async Task Pushed_messages_are_consumed_the_same_way()
    {
        var stream = await StreamAsync();
        await PublishAsync(2000);
        var consumer = await stream.CreateConsumerAsync(
            new ConsumerConfig { DurableName = "push", DeliverSubject = Client.NewInbox(), FlowControl = true, IdleHeartbeat = TimeSpan.FromSeconds(5) }, Ct);

        var got = new List<int>();
        await foreach (var message in consumer.ConsumeAsync<int>(ct: Ct))
        {
            got.Add(message.Data);
            await message.AckAsync(Ct);
            if (got.Count == 2000) break;
        }

        Assert.Equal(Enumerable.Range(1, 2000), got);
    }

    [Fact]
    public async Task Payload_that_is_no_such_value_arrives_with_its_error()
    {
        var stream = await StreamAsync();
        await Context.PublishAsync($"{Name}.n", "forty-two", ct: Ct);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "bad" }, Ct);

        var message = (await consumer.NextAsync<int>(ct: Ct))!.Value;
        var error = Assert.Throws<NatsClientException>(() => message.Data);
        await message.TerminateAsync(ct: Ct);

        Assert.Equal(NatsErrorCode.PayloadUnreadable, error.Code);
        Assert.NotNull(message.Error);
    }

    [Fact]
    public async Task Pinned_client_gets_everything_until_it_is_unpinned()
    {
        var stream = await StreamAsync();
        var consumer = await stream.CreateConsumerAsync(
            new ConsumerConfig { DurableName = "pinned", PriorityPolicy = PriorityPolicy.PinnedClient, PriorityGroups = ["jobs"], PriorityTimeout = TimeSpan.FromMinutes(1) }, Ct);
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var counts = new int[2];
        var readers = Enumerable.Range(0, 2).Select(reader => consumer.ProcessAsync<int>(
            (_, _) =>
            {
                Interlocked.Increment(ref counts[reader]);
                return default;
            },
            new ProcessOptions { Consume = new ConsumeOptions { Group = "jobs", MaxMessages = 4, Expires = TimeSpan.FromSeconds(2) } },
            ct: enough.Token)).ToArray();

        await PublishAsync(50);
        await Eventually.HoldsAsync(() => counts.Sum() == 50);
        var first = counts.ToArray();
        await consumer.UnpinAsync("jobs", Ct);
        await PublishAsync(50);
        await Eventually.HoldsAsync(() => counts.Sum() == 100);
        await enough.CancelAsync();
        await Task.WhenAll(readers);

        Assert.Contains(50, first);
        Assert.Contains(0, first);
    }

    [Fact]
    public async Task What_a_reader_leaves_unread_comes_at_once_to_the_next_one()
    {
        var stream = await StreamAsync();
        var read = new List<int>();
        await PublishAsync(10);
        // Without being given back the messages would come again in ten minutes.
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "left", AckWait = TimeSpan.FromMinutes(10) }, Ct);

        await foreach (var message in consumer.ConsumeAsync<int>(ct: Ct))
        {
            await AckAsync(message);
            break;
        }
        await foreach (var message in consumer.FetchAsync<int>(9, ct: Ct))
        {
            await AckAsync(message);
            break;
        }
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
        {
            await foreach (var message in consumer.ConsumeAsync<int>(ct: stop.Token))
            {
                await AckAsync(message);
                await stop.CancelAsync();
            }
        });
        await consumer.ProcessAsync<int>(static (_, _) => throw new InvalidOperationException("It was handled."), ct: stop.Token);
        var rest = await consumer.FetchAsync<int>(7, ct: Ct).ToListAsync(Ct);

        Assert.Equal(3, read.Count);
        Assert.Equal(Enumerable.Range(1, 10), rest.Select(message => message.Data).Concat(read).Order());

        ValueTask AckAsync(JetStreamMessage<int> message)
        {
            read.Add(message.Data);
            return message.AckAsync(Ct);
        }
    }

    [Fact]
    public async Task Answer_that_a_handler_gives_itself_is_the_one_that_counts()
    {
        var stream = await StreamAsync();
        await PublishAsync(3);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "own" }, Ct);
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var got = new List<(int Data, long Count)>();

        await consumer.ProcessAsync<int>(
            async (message, _) =>
            {
                got.Add((message.Data, message.Metadata.DeliveryCount));
                if (message.Data == 1 && message.Metadata.DeliveryCount == 1) await message.NakAsync(TimeSpan.FromMilliseconds(50), Ct);
                if (message.Data == 2) await message.TerminateAsync("no", Ct);
                if (got.Count == 4) await enough.CancelAsync();
                if (message.Data == 2) throw new InvalidOperationException("too late to ask for it again");
            },
            ct: enough.Token);

        Assert.Equal([(1, 1), (2, 1), (3, 1), (1, 2)], got);
        await Eventually.HoldsAsync(async () => (await consumer.RefreshAsync(Ct)).AckFloor.StreamSequence == 3);
    }

    [Fact]
    public async Task Options_that_could_never_work_are_refused()
    {
        var stream = await StreamAsync();
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "options" }, Ct);
        Task ProcessAsync(ProcessOptions options) => consumer.ProcessAsync<int>(static (_, _) => default, options, ct: Ct);

        Assert.Equal(NatsErrorCode.InvalidOption, (await Assert.ThrowsAsync<NatsClientException>(() => ProcessAsync(new ProcessOptions { Concurrency = 0 }))).Code);
        Assert.Equal(NatsErrorCode.InvalidOption, (await Assert.ThrowsAsync<NatsClientException>(() => ProcessAsync(new ProcessOptions { InProgressInterval = TimeSpan.Zero }))).Code);
        Assert.Equal(NatsErrorCode.InvalidOption, Assert.Throws<NatsClientException>(() => consumer.ConsumeAsync<int>(new ConsumeOptions { MaxMessages = 0 })).Code);
        Assert.Equal(NatsErrorCode.InvalidOption, Assert.Throws<NatsClientException>(() => consumer.ConsumeAsync<int>(new ConsumeOptions { Expires = TimeSpan.Zero })).Code);
        Assert.Equal(NatsErrorCode.InvalidOption, Assert.Throws<NatsClientException>(() => consumer.FetchAsync<int>(0)).Code);
    }
}
