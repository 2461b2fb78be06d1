using System.Collections.Concurrent;
using System.Text;
using System.Threading.Channels;
using Amqp.Framing;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transport.ServiceBus;
using Postrider.Transports;
using Postrider.TransportTests.Harness;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.ServiceBus;

/// <summary>What only Service Bus has: subscriptions, sessions, locks, batches, its own dead letters and its errors.</summary>
public sealed class ServiceBusTransportTests : IAsyncLifetime
{
    private readonly ServiceBusStandIn _standIn = new();
    private readonly ServiceBusTransport _transport;

    public ServiceBusTransportTests() => _transport = new ServiceBusTransport(Options());

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        await _standIn.DisposeAsync();
    }

    [Fact]
    public async Task Retried_message_of_a_subscription_reaches_no_other_one()
    {
        _standIn.CreateTopic("news", "billing", "mail");
        var (billing, mail) = (Channel.CreateUnbounded<long>(), Channel.CreateUnbounded<long>());
        await using var one = await ListenAsync(new ServiceBusBinding("news/subscriptions/billing") { Retry = TransportHarness.Quick }, envelope =>
        {
            billing.Writer.TryWrite(envelope.Delivery!.Count);
            return envelope.Delivery.Count < 3 ? throw new InvalidOperationException("not yet") : default;
        });
        await using var two = await ListenAsync(new ServiceBusBinding("news/subscriptions/mail"), envelope =>
        {
            mail.Writer.TryWrite(envelope.Delivery!.Count);
            return default;
        });

        await SendAsync("news", "x");

        Assert.Equal([1L, 2L, 3L], await TakeAsync(billing.Reader, 3));
        Assert.Equal(1, await mail.Reader.ReadAsync(Ct));
        await Eventually.HoldsAsync(() => _standIn.CountOf("news/subscriptions/billing") == 0 && _standIn.CountOf("news/subscriptions/mail") == 0);
        Assert.False(mail.Reader.TryRead(out _));
    }

    [Fact]
    public async Task Retried_message_of_a_queue_that_detects_duplicates_is_not_lost()
    {
        _standIn.CreateQueue("orders", new StandInSettings { DetectsDuplicates = true });
        var arrived = Channel.CreateUnbounded<(long Count, string? Id)>();
        await using var listener = await ListenAsync(new ServiceBusBinding("orders") { Retry = TransportHarness.Quick }, envelope =>
        {
            arrived.Writer.TryWrite((envelope.Delivery!.Count, envelope.Headers[HeaderNames.MessageId]));
            return envelope.Delivery.Count < 3 ? throw new InvalidOperationException("not yet") : default;
        });

        await _transport.OpenSender("orders").SendAsync(new MessageProperties { MessageId = "m" }, "x"u8.ToArray(), Ct);
        await _transport.OpenSender("orders").SendAsync(new MessageProperties { MessageId = "m" }, "x"u8.ToArray(), Ct);

        Assert.Equal([(1L, "m"), (2L, "m"), (3L, "m")], await TakeAsync(arrived.Reader, 3));
        await Eventually.HoldsAsync(() => _standIn.CountOf("orders") == 0);
    }

    [Fact]
    public async Task Message_whose_process_dies_each_time_ends_in_the_dead_letter_queue_of_the_service_and_can_be_redriven()
    {
        _standIn.CreateQueue("orders", new StandInSettings { MaxDeliveryCount = 2, LockDuration = TimeSpan.FromMilliseconds(200) });
        await SendAsync("orders", "deadly");
        for (var i = 0; i < 2; i++)
        {
            // A connection that ends with the message in its hands; nothing is settled.
            await using var relay = new TcpRelay(_standIn.Port);
            var doomed = new ServiceBusTransport(Options(relay.Port) with { Retry = new() { MaxPause = TimeSpan.FromHours(1), SendAttempts = 1 } });
            var (begun, never) = (new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), new TaskCompletionSource());
            await doomed.ListenAsync(new ServiceBusBinding("orders"), async (_, _) =>
            {
                begun.TrySetResult();
                await never.Task;
                return null;
            }, Ct);
            await begun.Task.WaitAsync(Ct);
            relay.Cut();
        }

        var letters = _transport.OpenDeadLetters("orders/$deadletterqueue");
        var letter = await Eventually.GivesAsync(async () => await FirstAsync(letters));

        Assert.Equal(("deadly", DeadLetterReason.Unanswered, "orders"), (Encoding.UTF8.GetString(letter.Body.Span), letter.Reason, letter.Origin));
        Assert.StartsWith("MaxDeliveryCountExceeded", letter.Error, StringComparison.Ordinal);
        Assert.Equal(1, await letters.RedriveAsync(DeadLetterQuery.All, Ct));
        Assert.Equal((1, 0), (_standIn.CountOf("orders"), _standIn.CountOf("orders/$deadletterqueue")));
    }

    [Fact]
    public async Task Sessions_keep_the_order_of_a_key_across_two_processes()
    {
        _standIn.CreateQueue("sessions", new StandInSettings { RequiresSession = true });
        await using var other = new ServiceBusTransport(Options());
        var handled = new ConcurrentQueue<(string Key, int Number)>();
        var running = new ConcurrentDictionary<string, bool>(StringComparer.Ordinal);
        ValueTask Handle(Envelope envelope)
        {
            var key = envelope.Headers[HeaderNames.Key]!;
            Assert.True(running.TryAdd(key, true), "two of one key at once");
            handled.Enqueue((key, int.Parse(Encoding.UTF8.GetString(envelope.Body.Span), null)));
            running.TryRemove(key, out _);
            return default;
        }

        var binding = new ServiceBusBinding("sessions") { Sessions = true, MaxConcurrency = 2, SessionIdle = TimeSpan.FromMilliseconds(50) };
        await using var one = await ListenAsync(binding, Handle);
        await using var two = await ListenAsync(binding, Handle, other);
        var sender = _transport.OpenSender("sessions");
        for (var i = 0; i < 40; i++)
            await sender.SendAsync(new MessageProperties { Key = $"k{i % 5}" }, Encoding.UTF8.GetBytes($"{i}"), Ct);
        await Eventually.HoldsAsync(() => handled.Count == 40);

        Assert.All(handled.GroupBy(static item => item.Key), static key => Assert.Equal(key.Select(static item => item.Number).Order(), key.Select(static item => item.Number)));
        Assert.Equal(0, _standIn.CountOf("sessions"));
    }

    [Fact]
    public async Task Source_with_sessions_and_a_binding_or_message_without_are_refused_by_name()
    {
        _standIn.CreateQueue("sessions", new StandInSettings { RequiresSession = true });

        var unbound = await Assert.ThrowsAsync<PostriderException>(async () => await ListenAsync(new ServiceBusBinding("sessions"), static _ => default));
        var unsent = await Assert.ThrowsAsync<PostriderException>(async () => await SendAsync("sessions", "x"));
        var missing = await Assert.ThrowsAsync<PostriderException>(async () => await ListenAsync(new ServiceBusBinding("nowhere") { Sessions = true }, static _ => default));

        Assert.Equal((PostriderError.Configuration, PostriderError.Configuration, PostriderError.NoListener), (unbound.Error, unsent.Error, missing.Error));
        Assert.Contains("is bound with Sessions", unbound.Message, StringComparison.Ordinal);
        Assert.Contains("only accepts messages with a key", unsent.Message, StringComparison.Ordinal);
        Assert.Contains("'nowhere'", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_that_are_sent_at_once_travel_in_batches_and_one_that_is_refused_fails_alone()
    {
        _standIn.CreateQueue("orders");
        await using var transport = new ServiceBusTransport(Options() with { Throughput = new() { MaxTransfers = 1, MaxBatch = 50 } });
        var sender = transport.OpenSender("orders");
        await sender.SendAsync(default, "first"u8.ToArray(), Ct);

        var sends = Enumerable.Range(0, 60)
            .Select(i => sender.SendAsync(i == 30 ? new MessageProperties { Headers = new Headers { { "refuse", "1" } } } : default, Encoding.UTF8.GetBytes($"{i}"), Ct).AsTask())
            .ToArray();
        await Task.WhenAll(sends).ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);

        Assert.Equal([30], sends.Index().Where(static send => !send.Item.IsCompletedSuccessfully).Select(static send => send.Index));
        Assert.IsType<PostriderException>(sends[30].Exception!.InnerException);
        Assert.InRange(_standIn.Batches, 1, 20);
        Assert.Equal(60, _standIn.CountOf("orders"));
    }

    [Fact]
    public async Task Message_that_is_too_large_with_its_headers_is_refused_with_both_numbers()
    {
        _standIn.CreateQueue("orders");
        _standIn.MaxMessageBytes = 2000;

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await _transport.OpenSender("orders").SendAsync(default, new byte[2000], Ct));
        await SendAsync("orders", "small");

        Assert.Equal(PostriderError.TooLarge, refused.Error);
        Assert.Contains("exceeds the 2000 bytes that Service Bus", refused.Message, StringComparison.Ordinal);
        Assert.Equal(1, _standIn.CountOf("orders"));
    }

    [Fact]
    public async Task Queue_that_is_full_is_an_error_of_its_own()
    {
        _standIn.CreateQueue("orders", new StandInSettings { MaxMessages = 1 });
        await SendAsync("orders", "1");

        Assert.Equal(PostriderError.QueueFull, (await Assert.ThrowsAsync<PostriderException>(async () => await SendAsync("orders", "2"))).Error);
    }

    [Fact]
    public async Task Busy_service_is_left_alone_for_a_while()
    {
        var clock = new TestClock(DateTimeOffset.UtcNow);
        _standIn.CreateQueue("orders");
        var asked = 0;
        _standIn.Refuse = _ => Interlocked.Increment(ref asked) == 1 ? new Error(ServiceBusErrors.Busy) { Description = "The request was terminated because the entity is being throttled." } : null;
        await using var transport = new ServiceBusTransport(Options(), time: clock);

        var sending = transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct).AsTask();
        await Eventually.HoldsAsync(() => Volatile.Read(ref asked) == 1);
        // The timer of the pause, which is longer than any other pause of a send.
        await Eventually.HoldsAsync(() => clock.UntilNextTimer is { } wait && wait > TimeSpan.FromSeconds(9) && wait <= TimeSpan.FromSeconds(10));
        Assert.Equal(1, asked);
        clock.Advance(TimeSpan.FromSeconds(10));
        await sending.WaitAsync(Ct);

        Assert.Equal((2, 1), (asked, _standIn.CountOf("orders")));
    }

    [Fact]
    public async Task Links_that_the_service_closes_are_opened_again()
    {
        _standIn.CreateQueue("orders");
        var arrived = Channel.CreateUnbounded<string>();
        await using var listener = await ListenAsync(new ServiceBusBinding("orders"), envelope =>
        {
            arrived.Writer.TryWrite(Encoding.UTF8.GetString(envelope.Body.Span));
            return default;
        });

        for (var i = 0; i < 3; i++)
        {
            await SendAsync("orders", $"{i}");
            Assert.Equal($"{i}", await arrived.Reader.ReadAsync(Ct));
            _standIn.CloseLinks();
        }
    }

    [Fact]
    public async Task Message_whose_lock_was_lost_is_settled_quietly_and_handled_again()
    {
        var clock = new TestClock(DateTimeOffset.UtcNow);
        await using var standIn = new ServiceBusStandIn(clock);
        standIn.CreateQueue("orders");
        // Its own clock stands still: it renews nothing.
        await using var transport = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = standIn.ConnectionString }, time: new TestClock(clock.GetUtcNow()));
        var (begun, release) = (Channel.CreateUnbounded<long>(), new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        await using var listener = await transport.ListenAsync(new ServiceBusBinding("orders"), async (envelope, _) =>
        {
            begun.Writer.TryWrite(envelope.Delivery!.Count);
            if (envelope.Delivery.Count == 1)
                await release.Task;
            return null;
        }, Ct);
        await transport.OpenSender("orders").SendAsync(default, "slow"u8.ToArray(), Ct);
        Assert.Equal(1, await begun.Reader.ReadAsync(Ct));

        clock.Advance(TimeSpan.FromSeconds(31));
        Assert.Equal(2, await begun.Reader.ReadAsync(Ct));
        release.SetResult();

        await Eventually.HoldsAsync(() => standIn.CountOf("orders") == 0);
        Assert.False(begun.Reader.TryRead(out _));
        Assert.Equal(0, standIn.Renewals);
    }

    [Theory]
    [MemberData(nameof(ForeignMessages))]
    public async Task Message_of_another_sender_is_read_or_is_a_dead_letter_and_others_go_on(string name, Action<Amqp.Message> shape, string? body)
    {
        _standIn.CreateQueue("orders");
        var arrived = Channel.CreateUnbounded<Envelope>();
        await using var listener = await ListenAsync(new ServiceBusBinding("orders") { MaxConcurrency = 1 }, envelope =>
        {
            arrived.Writer.TryWrite(envelope);
            return default;
        });
        var message = new Amqp.Message { BodySection = new Data { Binary = "x"u8.ToArray() } };
        shape(message);

        _standIn.Receive("orders", message);
        await SendAsync("orders", "next");

        if (body is not null)
            Assert.Equal((name, body), (name, Encoding.UTF8.GetString((await arrived.Reader.ReadAsync(Ct)).Body.Span)));
        Assert.Equal("next", Encoding.UTF8.GetString((await arrived.Reader.ReadAsync(Ct)).Body.Span));
        await Eventually.HoldsAsync(() => _standIn.CountOf("orders") == 0);
        Assert.Equal(body is null ? 1 : 0, _standIn.CountOf("orders/$deadletterqueue"));
    }

    public static TheoryData<string, Action<Amqp.Message>, string?> ForeignMessages => new()
    {
        { "no body", message => (message.BodySection, message.Properties) = (null, new Properties { Subject = "empty" }), "" },
        { "text", message => message.BodySection = new AmqpValue { Value = "välue" }, "välue" },
        { "bytes as a value", message => message.BodySection = new AmqpValue { Value = "b"u8.ToArray() }, "b" },
        { "number", message => message.BodySection = new AmqpValue { Value = 7 }, null },
        { "nothing as a value", message => message.BodySection = new AmqpValue { Value = null }, "" },
        { "map", message => message.BodySection = new AmqpValue { Value = new Amqp.Types.Map { ["a"] = 1 } }, null },
        { "sequence", message => message.BodySection = new AmqpSequence { List = new System.Collections.ArrayList { 1 } }, null },
        { "two data sections", message => message.BodySection = Two("a"u8.ToArray(), "b"u8.ToArray()), "ab" },
        { "numeric id", message => (message.Properties ??= new Properties()).SetMessageId(7UL), "x" },
        { "binary id", message => (message.Properties ??= new Properties()).SetMessageId(new byte[] { 1, 2 }), "x" },
        { "uuid as correlation", message => (message.Properties ??= new Properties()).SetCorrelationId(Guid.Empty), "x" },
        { "line break in a value", message => message.ApplicationProperties = new ApplicationProperties { ["a"] = "1\r\nb: 2" }, "x" },
        { "colon in a name", message => message.ApplicationProperties = new ApplicationProperties { ["a:b"] = "1" }, "x" },
        { "empty name", message => message.ApplicationProperties = new ApplicationProperties { [""] = "1" }, "x" },
        { "null value", message => message.ApplicationProperties = new ApplicationProperties { ["a"] = null }, "x" },
        { "list as a value", message => message.ApplicationProperties = new ApplicationProperties { ["a"] = new Amqp.Types.List { 1, "b" } }, "x" },
        { "map as a value", message => message.ApplicationProperties = new ApplicationProperties { ["a"] = new Amqp.Types.Map { ["b"] = 1 } }, "x" },
        { "time beyond the calendar", message => message.MessageAnnotations = new MessageAnnotations { [(Amqp.Types.Symbol)"x-opt-anything"] = DateTime.MaxValue }, "x" },
        { "attempts as text", message => message.ApplicationProperties = new ApplicationProperties { ["Postrider-Attempts"] = "many" }, "x" },
        { "negative attempts", message => message.ApplicationProperties = new ApplicationProperties { ["Postrider-Attempts"] = -5L }, "x" },
        { "forged dead-letter reason", message => message.ApplicationProperties = new ApplicationProperties { ["DeadLetterReason"] = "none" }, "x" },
        { "many properties", message => message.ApplicationProperties = Many(2000), "x" },
        { "long session", message => message.Properties = new Properties { GroupId = new string('s', 128) }, "x" },
    };

    private static DataList Two(byte[] one, byte[] two)
    {
        var list = new DataList();
        list.Add(new Data { Binary = one });
        list.Add(new Data { Binary = two });
        return list;
    }

    private static ApplicationProperties Many(int count)
    {
        var properties = new ApplicationProperties();
        for (var i = 0; i < count; i++)
            properties[$"p{i}"] = i;
        return properties;
    }

    private static async Task<List<T>> TakeAsync<T>(ChannelReader<T> reader, int count)
    {
        var taken = new List<T>();
        while (taken.Count < count)
            taken.Add(await reader.ReadAsync(Ct));
        return taken;
    }

    private static async Task<DeadLetterMessage?> FirstAsync(IDeadLetters letters)
    {
        await foreach (var letter in letters.ListAsync(DeadLetterQuery.All, Ct))
            return letter;
        return null;
    }

    private ServiceBusOptions Options(int? port = null) => new() { ConnectionString = _standIn.ConnectionStringOf(port ?? _standIn.Port), Retry = new() { MaxPause = TimeSpan.FromMilliseconds(200) } };

    private ValueTask SendAsync(string destination, string body) => _transport.OpenSender(destination).SendAsync(default, Encoding.UTF8.GetBytes(body), Ct);

    private ValueTask<IAsyncDisposable> ListenAsync(ServiceBusBinding binding, Func<Envelope, ValueTask> handle, ServiceBusTransport? transport = null)
        => (transport ?? _transport).ListenAsync(
            binding,
            async (envelope, _) =>
            {
                await handle(envelope);
                return null;
            },
            Ct);
}
