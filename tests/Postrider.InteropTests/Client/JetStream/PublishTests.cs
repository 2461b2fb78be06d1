using Postrider.Client;
using Postrider.Client.JetStream;

namespace Postrider.InteropTests.Client.JetStream;

public abstract class PublishTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    [Fact]
    public async Task Publish_gets_its_place_in_the_stream()
    {
        await StreamAsync();

        var first = await Context.PublishAsync($"{Name}.a", "x", ct: Ct);
        var second = await Context.PublishAsync($"{Name}.a", "y", headers: new NatsHeaders { ["A"] = "1" }, ct: Ct);

        Assert.Equal(new PublishAck(Name, 1, false, null, null, 0, null), first);
        Assert.Equal(2UL, second.Sequence);
    }

    [Fact]
    public async Task Same_id_is_stored_once()
    {
        var stream = await StreamAsync();

        await Context.PublishAsync($"{Name}.a", "x", new PublishOptions { MessageId = "one" }, ct: Ct);
        var again = await Context.PublishAsync($"{Name}.a", "x", new PublishOptions { MessageId = "one" }, ct: Ct);

        Assert.True(again.IsDuplicate);
        Assert.Equal(1UL, again.Sequence);
        Assert.Equal(1UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Fact]
    public async Task Expectations_that_do_not_hold_are_refused()
    {
        await StreamAsync();
        await Context.PublishAsync($"{Name}.a", "x", new PublishOptions { MessageId = "one" }, ct: Ct);
        await Context.PublishAsync($"{Name}.b", "x", ct: Ct);

        await Context.PublishAsync(
            $"{Name}.a",
            "y",
            new PublishOptions { ExpectedStream = Name, ExpectedLastSequence = 2, ExpectedLastSubjectSequence = 1 },
            ct: Ct);

        Assert.Equal(JetStreamErrors.WrongStream, await RefusalAsync(new PublishOptions { ExpectedStream = "OTHER" }));
        Assert.Equal(JetStreamErrors.WrongLastSequence, await RefusalAsync(new PublishOptions { ExpectedLastSequence = 1 }));
        Assert.Equal(JetStreamErrors.WrongLastSequence, await RefusalAsync(new PublishOptions { ExpectedLastSubjectSequence = 1 }));
        Assert.Equal(JetStreamErrors.WrongLastMessageId, await RefusalAsync(new PublishOptions { ExpectedLastMessageId = "two" }));
    }

    [Fact]
    public async Task Publish_where_no_stream_listens_fails_after_its_retries()
    {
        var error = await Assert.ThrowsAsync<NatsClientException>(async () =>
            await Context.PublishAsync("no.stream.here", "x", new PublishOptions { Retries = 1, RetryDelay = TimeSpan.FromMilliseconds(10) }, ct: Ct));

        Assert.Equal(NatsErrorCode.JetStreamUnavailable, error.Code);
    }

    [Fact]
    public async Task Publish_waits_for_a_stream_that_is_late()
    {
        var publishing = Context.PublishAsync($"{Name}.a", "x", new PublishOptions { Retries = 600, RetryDelay = TimeSpan.FromMilliseconds(50) }, ct: Ct).AsTask();
        await Task.Delay(120, Ct);
        await StreamAsync();

        Assert.Equal(1UL, (await publishing).Sequence);
    }

    [Fact]
    public async Task Rollup_replaces_the_subjects_messages()
    {
        var stream = await StreamAsync(config => config with { AllowRollup = true });
        await PublishAsync(3, "a");
        await PublishAsync(2, "b");

        await Context.PublishAsync($"{Name}.a", 9, new PublishOptions { Rollup = PublishRollup.Subject }, ct: Ct);

        Assert.Equal(3UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(4096)]
    public async Task Posted_messages_are_all_stored_in_order(int inFlight)
    {
        var stream = await StreamAsync();
        await using var publisher = Context.CreatePublisher(new PublisherOptions { MaxInFlight = inFlight });

        for (var i = 1; i <= 5000; i++)
        {
            await publisher.PostAsync($"{Name}.a", i, ct: Ct);
            Assert.True(publisher.InFlight <= inFlight);
        }
        await publisher.FlushAsync(Ct);

        Assert.Equal(0, publisher.InFlight);
        Assert.Equal(5000UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
        Assert.Equal(4321, (await stream.GetMessageAsync<int>(4321, ct: Ct))!.Data);
    }

    [Fact]
    public async Task Acknowledgements_come_to_their_own_publishes()
    {
        await StreamAsync();
        await using var publisher = Context.CreatePublisher(new PublisherOptions { MaxInFlight = 100 });

        var acks = await Task.WhenAll(Enumerable.Range(0, 1000).Select(i => publisher.PublishAsync($"{Name}.a", new byte[i * 10], ct: Ct).AsTask()));

        Assert.Equal(Enumerable.Range(1, 1000).Select(i => (ulong)i), acks.Select(ack => ack.Sequence).Order());
        Assert.Equal(0, publisher.InFlight);
    }

    [Fact]
    public async Task Posted_message_that_is_refused_is_told_once_by_event_and_flush()
    {
        await StreamAsync(config => config with { MaxMessageBytes = 100 });
        var told = new TaskCompletionSource<PublishFailure>();
        await using var publisher = Context.CreatePublisher();
        publisher.Failed += told.SetResult;

        await publisher.PostAsync($"{Name}.a", new byte[50], ct: Ct);
        await publisher.PostAsync($"{Name}.b", new byte[500], new PublishOptions { MessageId = "large" }, ct: Ct);
        var flush = await Assert.ThrowsAsync<NatsClientException>(async () => await publisher.FlushAsync(Ct));
        await publisher.FlushAsync(Ct);
        var failure = await told.Task.WaitAsync(Ct);

        Assert.StartsWith($"1 posted messages were not acknowledged; the first, on '{Name}.b'", flush.Message, StringComparison.Ordinal);
        Assert.Equal(($"{Name}.b", "large", 10054), (failure.Subject, failure.MessageId, Assert.IsType<JetStreamException>(failure.Error).ErrorCode));
    }

    [Fact]
    public async Task Posted_message_waits_for_a_stream_that_is_late()
    {
        await using var publisher = Context.CreatePublisher(new PublisherOptions { Retries = 600, RetryDelay = TimeSpan.FromMilliseconds(50) });
        await publisher.PostAsync($"{Name}.a", "x", ct: Ct);
        await Task.Delay(120, Ct);
        var stream = await StreamAsync();

        await publisher.FlushAsync(Ct);

        Assert.Equal("x", (await stream.GetMessageAsync<string>(1, ct: Ct))!.Data);
    }

    [Fact]
    public async Task Publisher_says_that_no_stream_listens()
    {
        await using var publisher = Context.CreatePublisher(new PublisherOptions { Retries = 1, RetryDelay = TimeSpan.FromMilliseconds(10) });

        var error = await Assert.ThrowsAsync<NatsClientException>(async () => await publisher.PublishAsync("no.stream.here", "x", ct: Ct));

        Assert.Equal(NatsErrorCode.JetStreamUnavailable, error.Code);
    }

    [Fact]
    public async Task Batch_is_stored_all_together()
    {
        var stream = await StreamAsync(config => config with { AllowAtomicPublish = true });

        var batch = Context.CreateBatch();
        for (var i = 1; i <= 9; i++) await batch.AddAsync($"{Name}.a", i, ct: Ct);
        var before = (await stream.RefreshAsync(ct: Ct)).State.Messages;
        var ack = await batch.CommitAsync($"{Name}.b", 10, ct: Ct);

        Assert.Equal(0UL, before);
        Assert.Equal((10UL, batch.Id, 10), (ack.Sequence, ack.BatchId, ack.BatchCount));
        Assert.Equal(10UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Fact]
    public async Task Batch_without_a_last_message_is_stored_too()
    {
        var stream = await StreamAsync(config => config with { AllowAtomicPublish = true });

        var batch = Context.CreateBatch();
        for (var i = 1; i <= 3; i++) await batch.AddAsync($"{Name}.a", i, ct: Ct);
        var ack = await batch.CommitAsync(Ct);

        Assert.Equal(3, ack.BatchCount);
        Assert.Equal(3UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Fact]
    public async Task Batch_whose_check_fails_stores_nothing()
    {
        var stream = await StreamAsync(config => config with { AllowAtomicPublish = true });

        var batch = Context.CreateBatch();
        await batch.AddAsync($"{Name}.a", 1, ct: Ct);
        var refusal = await Assert.ThrowsAsync<JetStreamException>(async () =>
            await batch.CommitAsync($"{Name}.a", 2, new PublishOptions { ExpectedLastSubjectSequence = 77, ExpectedLastSubjectSequenceSubject = $"{Name}.other" }, ct: Ct));

        Assert.Equal(JetStreamErrors.WrongLastSequence, refusal.ErrorCode);
        Assert.Equal(0UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Fact]
    public async Task Batch_for_a_stream_that_takes_none_is_refused_at_its_first_message()
    {
        await StreamAsync();

        var refusal = await Assert.ThrowsAsync<JetStreamException>(async () => await Context.CreateBatch().AddAsync($"{Name}.a", 1, ct: Ct));

        Assert.Equal(10174, refusal.ErrorCode);
    }

    [Fact]
    public async Task Counter_tells_what_it_stands_at()
    {
        await StreamAsync(config => config with { AllowMessageCounter = true, AllowDirect = true });

        await Context.PublishAsync($"{Name}.hits", ReadOnlyMemory<byte>.Empty, new PublishOptions { Increment = "+2" }, ct: Ct);
        var ack = await Context.PublishAsync($"{Name}.hits", ReadOnlyMemory<byte>.Empty, new PublishOptions { Increment = "+40" }, ct: Ct);

        Assert.Equal("42", ack.Value);
    }

    private async Task<int> RefusalAsync(PublishOptions options)
        => (await Assert.ThrowsAsync<JetStreamException>(async () => await Context.PublishAsync($"{Name}.b", "z", options, ct: Ct))).ErrorCode;
}
