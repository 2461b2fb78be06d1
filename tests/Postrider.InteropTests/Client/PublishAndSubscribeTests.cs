using Postrider.Client;
using Postrider.Serialization;

namespace Postrider.InteropTests.Client;

public abstract class PublishAndSubscribeTests(IServerFixture fixture)
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    [Fact]
    public async Task Message_arrives_with_subject_reply_and_headers()
    {
        await using var client = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<string>("greet.*");

        await client.PublishAsync("greet.world", "hello", "answers.here", new NatsHeaders { ["Kind"] = "first", ["Other"] = "ünïcode" });
        var message = await subscription.ReadAsync(_ct);

        Assert.Equal("greet.world", message.Subject);
        Assert.Equal("answers.here", message.ReplyTo);
        Assert.Equal("hello", message.Data);
        Assert.Equal(["first"], message.Headers!.GetValues("Kind"));
        Assert.Equal("ünïcode", message.Headers["Other"]);
    }

    [Fact]
    public async Task Hundred_thousand_messages_arrive_in_order()
    {
        await using var publisher = await fixture.ConnectAsync();
        await using var client = await fixture.ConnectAsync(options => options.SubscriptionCapacity = 200_000);
        await using var subscription = client.Subscribe<int>("counted");
        await client.FlushAsync(_ct);

        for (var i = 0; i < 100_000; i++) await publisher.PublishAsync("counted", i, ct: _ct);

        for (var i = 0; i < 100_000; i++) Assert.Equal(i, (await subscription.ReadAsync(_ct)).Data);
    }

    [Fact]
    public async Task Payloads_of_all_sizes_arrive_whole()
    {
        await using var client = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<byte[]>("sizes");
        int[] sizes = [0, 1, 100, 4000, 32_000, 65_530, 65_536, 200_000, 1024 * 1024];
        var random = new Random(1);
        var payloads = sizes.Select(size =>
        {
            var payload = new byte[size];
            random.NextBytes(payload);
            return payload;
        }).ToArray();

        foreach (var payload in payloads) await client.PublishAsync("sizes", payload, headers: payload.Length % 2 == 0 ? null : new NatsHeaders { ["Odd"] = "yes" }, ct: _ct);

        foreach (var payload in payloads) Assert.Equal(payload, (await subscription.ReadAsync(_ct)).Data);
    }

    [Fact]
    public async Task Queue_group_gets_each_message_once()
    {
        await using var client = await fixture.ConnectAsync();
        await using var first = client.Subscribe<int>("jobs", "workers");
        await using var second = client.Subscribe<int>("jobs", "workers");
        await client.FlushAsync(_ct);

        for (var i = 0; i < 1000; i++) await client.PublishAsync("jobs", i, ct: _ct);
        await client.FlushAsync(_ct);

        Assert.Equal(1000, first.DeliveredMessages + second.DeliveredMessages);
        Assert.InRange(first.DeliveredMessages, 1, 999);
    }

    [Fact]
    public async Task Subscription_ends_after_its_maximum()
    {
        await using var client = await fixture.ConnectAsync();
        var subscription = client.Subscribe<int>("few", options: new SubscriptionOptions { MaxMessages = 3 });

        for (var i = 0; i < 10; i++) await client.PublishAsync("few", i, ct: _ct);
        var read = new List<int>();
        await foreach (var message in subscription.WithCancellation(_ct)) read.Add(message.Data);

        Assert.Equal([0, 1, 2], read);
        Assert.Equal(0, client.Statistics.Subscriptions);
    }

    [Fact]
    public async Task Handler_is_called_for_each_message_and_its_failure_is_told()
    {
        await using var client = await fixture.ConnectAsync();
        var failed = new TaskCompletionSource<ClientEvent>();
        client.EventOccurred += occurred =>
        {
            if (occurred.Kind == ClientEventKind.HandlerFailed) failed.TrySetResult(occurred);
        };
        var handled = new List<string>();
        await using var subscription = client.Subscribe<string>("handle", (message, _) =>
        {
            handled.Add(message.Data);
            return message.Data == "bad" ? throw new InvalidOperationException("no") : default;
        });

        await client.PublishAsync("handle", "bad", ct: _ct);
        await client.PublishAsync("handle", "good", ct: _ct);
        await subscription.DrainAsync(_ct);

        Assert.Equal(["bad", "good"], handled);
        var told = await failed.Task.WaitAsync(_ct);
        Assert.Equal("handle", told.Subject);
        Assert.Equal("no", told.Error!.Message);
    }

    [Fact]
    public async Task Raw_handler_sees_the_bytes_and_answers_in_place()
    {
        await using var client = await fixture.ConnectAsync();
        await using var service = client.SubscribeRaw("raw", message => message.Reply(message.Payload));

        var reply = await client.RequestAsync<string, string>("raw", "round", ct: _ct);

        Assert.Equal("round", reply.Data);
    }

    [Fact]
    public async Task Payload_that_cannot_be_read_is_an_error_of_that_message()
    {
        await using var client = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<int>("numbers");

        await client.PublishAsync("numbers", "seven", ct: _ct);
        await client.PublishAsync("numbers", "8", ct: _ct);
        var bad = await subscription.ReadAsync(_ct);
        var good = await subscription.ReadAsync(_ct);

        Assert.NotNull(bad.Error);
        Assert.Equal(NatsErrorCode.PayloadUnreadable, Assert.Throws<NatsClientException>(() => bad.Data).Code);
        Assert.Equal(8, good.Data);
    }

    [Fact]
    public async Task Payload_over_the_limit_is_refused_before_it_is_sent()
    {
        await using var client = await fixture.ConnectAsync();
        var tooLarge = new byte[(1024 * 1024) + 1];

        var error = await Assert.ThrowsAsync<NatsClientException>(async () => await client.PublishAsync("big", tooLarge, ct: _ct));

        Assert.Equal(NatsErrorCode.PayloadTooLarge, error.Code);
        Assert.Equal("Payload of 1048577 bytes exceeds max_payload 1048576.", error.Message);
        await client.FlushAsync(_ct);
    }

    [Theory]
    [InlineData("")]
    [InlineData("two words")]
    [InlineData("line\r\nPING")]
    public async Task Subject_that_would_be_another_frame_is_refused(string subject)
    {
        await using var client = await fixture.ConnectAsync();

        var error = await Assert.ThrowsAsync<NatsClientException>(async () => await client.PublishAsync(subject, "x", ct: _ct));

        Assert.Equal(NatsErrorCode.InvalidArgument, error.Code);
    }

    [Fact]
    public async Task Client_without_echo_does_not_hear_itself()
    {
        await using var client = await fixture.ConnectAsync(options => options.Echo = false);
        await using var other = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<string>("echo");
        await client.FlushAsync(_ct);

        await client.PublishAsync("echo", "own", ct: _ct);
        await client.FlushAsync(_ct);
        await other.PublishAsync("echo", "other", ct: _ct);

        Assert.Equal("other", (await subscription.ReadAsync(_ct)).Data);
    }

    [Theory]
    [InlineData(SlowConsumerPolicy.DropNewest, "0 1 2 3")]
    [InlineData(SlowConsumerPolicy.DropOldest, "6 7 8 9")]
    public async Task Full_subscription_drops_what_its_policy_says(SlowConsumerPolicy policy, string expected)
    {
        await using var client = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<int>("slow", options: new SubscriptionOptions { Capacity = 4, WhenFull = policy });

        for (var i = 0; i < 10; i++) await client.PublishAsync("slow", i, ct: _ct);
        await client.FlushAsync(_ct);

        Assert.Equal((10, 6, 4), (subscription.DeliveredMessages, subscription.DroppedMessages, subscription.PendingMessages));
        var read = new List<int>();
        while (subscription.TryRead(out var message)) read.Add(message.Data);
        Assert.Equal(expected, string.Join(' ', read));
    }

    [Fact]
    public async Task Full_subscription_that_waits_loses_nothing()
    {
        await using var client = await fixture.ConnectAsync();
        await using var publisher = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<byte[]>("wait", options: new SubscriptionOptions { Capacity = 10, WhenFull = SlowConsumerPolicy.Wait });
        await client.FlushAsync(_ct);

        for (var i = 0; i < 5_000; i++) await publisher.PublishAsync("wait", new byte[500], ct: _ct);
        await publisher.FlushAsync(_ct);
        for (var i = 0; i < 5_000; i++) await subscription.ReadAsync(_ct);

        Assert.Equal(0, subscription.DroppedMessages);
    }

    [Fact]
    public async Task Drained_subscription_hands_out_everything_the_server_had()
    {
        await using var publisher = await fixture.ConnectAsync();
        await using var client = await fixture.ConnectAsync();
        var subscription = client.Subscribe<int>("drain");
        await client.FlushAsync(_ct);
        for (var i = 0; i < 2_000; i++) await publisher.PublishAsync("drain", i, ct: _ct);
        await publisher.FlushAsync(_ct);

        var count = 0;
        var drained = subscription.DrainAsync(_ct);
        await foreach (var message in subscription.WithCancellation(_ct)) Assert.Equal(count++, message.Data);
        await drained;

        Assert.Equal(2_000, count);
    }

    [Fact]
    public async Task Drained_client_handles_all_and_closes()
    {
        await using var publisher = await fixture.ConnectAsync();
        var client = await fixture.ConnectAsync();
        var handled = 0;
        client.Subscribe<string>("drain.all", async (message, ct) =>
        {
            await Task.Delay(1, ct);
            await message.ReplyAsync("done", ct: ct);
            handled++;
        });
        await client.FlushAsync(_ct);
        var replies = publisher.Subscribe<string>("drain.replies");
        for (var i = 0; i < 50; i++) await publisher.PublishAsync("drain.all", "x", "drain.replies", ct: _ct);
        await publisher.FlushAsync(_ct);

        await client.DrainAsync(_ct);
        await publisher.FlushAsync(_ct);

        Assert.Equal(50, handled);
        Assert.Equal(50, replies.DeliveredMessages);
        Assert.Equal(ConnectionState.Closed, client.State);
        Assert.Throws<NatsClientException>(() => client.Subscribe<string>("late"));
    }

    [Fact]
    public async Task Statistics_count_messages_and_bytes()
    {
        await using var client = await fixture.ConnectAsync();
        await using var subscription = client.Subscribe<byte[]>("counted.bytes");

        for (var i = 0; i < 10; i++) await client.PublishAsync("counted.bytes", new byte[100], ct: _ct);
        await client.FlushAsync(_ct);

        var statistics = client.Statistics;
        Assert.Equal((10, 1000, 10, 1000), (statistics.SentMessages, statistics.SentBytes, statistics.ReceivedMessages, statistics.ReceivedBytes));
        Assert.Equal(1, statistics.Subscriptions);
    }

    [Fact]
    public async Task Json_context_carries_own_types()
    {
        await using var client = await fixture.ConnectAsync(options => options.Serializers = new JsonSerializerProvider(OrderContext.Default));
        await using var subscription = client.Subscribe<Order>("orders");

        await client.PublishAsync("orders", new Order("bolt", 3), ct: _ct);
        var message = await subscription.ReadAsync(_ct);

        Assert.Equal(new Order("bolt", 3), message.Data);
        Assert.Equal("""{"Item":"bolt","Count":3}"""u8.Length, message.SizeBytes);
    }
}
