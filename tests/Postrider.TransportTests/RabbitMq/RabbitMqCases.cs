using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Postrider.Configuration;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>What only RabbitMQ has: its queues, its counting, its account.</summary>
public abstract class RabbitMqCases(RabbitMqHarness harness)
{
    private readonly string _queue = TransportHarness.NewName();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Thousand_publishes_at_once_wait_for_their_turn()
    {
        await harness.RabbitMq.ApplyAsync(new RabbitMqBinding(_queue), Ct);
        var sender = harness.RabbitMq.OpenSender(_queue);

        await Task.WhenAll(Enumerable.Range(0, 1_000).Select(_ => sender.SendAsync(default, "x"u8.ToArray(), Ct).AsTask()));

        await using var channel = await harness.OpenChannelAsync();
        Assert.Equal(1_000u, await channel.MessageCountAsync(_queue, Ct));
    }

    // A frame that acknowledged a message twice, or one that is still being handled, would close the channel or lose a message.
    [Fact]
    public async Task Messages_that_end_in_any_order_are_acknowledged_once()
    {
        const int Count = 2_000;
        var handled = new ConcurrentBag<string>();
        var binding = new RabbitMqBinding(_queue) { MaxConcurrency = 32, Retry = TransportHarness.Quick with { MaxAttempts = 3 } };
        await using (await harness.RabbitMq.ListenAsync(
            binding,
            async (envelope, _) =>
            {
                var text = Encoding.UTF8.GetString(envelope.Body.Span);
                var number = int.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
                for (var turns = number * 7919 % 13; turns > 0; turns--) await Task.Yield();
                handled.Add(text);
                // Every hundredth is stored again once.
                if (number % 100 == 0 && handled.Count(one => one == text) == 1) throw new TimeoutException("once more");
                return null;
            },
            Ct))
        {
            var sender = harness.RabbitMq.OpenSender(_queue);
            await Task.WhenAll(Enumerable.Range(0, Count).Select(i => sender.SendAsync(default, Encoding.UTF8.GetBytes($"{i}"), Ct).AsTask()));
            await Eventually.HoldsAsync(() => handled.Count == Count + (Count / 100));
        }

        await using var channel = await harness.OpenChannelAsync();
        Assert.Equal(0u, await channel.MessageCountAsync(_queue, Ct));
        Assert.Equal(Count, handled.Distinct().Count());
        Assert.Equal(Count + (Count / 100), handled.Count);
    }

    [Fact]
    public async Task Case_33_message_that_ends_every_process_that_takes_it_is_a_dead_letter()
    {
        var dead = $"{_queue}-dead";
        var binding = new RabbitMqBinding(_queue) { DeadLetter = dead, Retry = TransportHarness.Quick with { MaxAttempts = 2 } };
        await harness.RabbitMq.ApplyAsync(binding, Ct);
        await harness.RabbitMq.SendAsync(Message("fatal"), Ct);
        // Two processes that take it and are never heard of again.
        for (var i = 0; i < 2; i++)
        {
            await using var channel = await harness.OpenChannelAsync();
            await Eventually.GivesAsync(async () => await channel.BasicGetAsync(_queue, autoAck: false, Ct));
        }

        var handled = 0;
        await using var listener = await harness.RabbitMq.ListenAsync(
            binding,
            (_, _) =>
            {
                Interlocked.Increment(ref handled);
                return default;
            },
            Ct);
        var letter = await LetterAsync(dead);

        Assert.Equal(("Unanswered", "3"), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[DeadLetterHeaders.Deliveries]));
        Assert.Equal(0, handled);
    }

    [Fact]
    public async Task Case_42_transport_that_is_disposed_while_it_looks_for_its_server_ends_what_waits()
    {
        await using var relay = new TcpRelay(1);
        var transport = new RabbitMqTransport(harness.Options with { Server = new Uri($"amqp://guest:guest@127.0.0.1:{relay.Port}/"), Retry = new() { SendAttempts = int.MaxValue, MaxPause = TimeSpan.FromMilliseconds(50) } });
        var sending = transport.SendAsync(Message("x"), Ct).AsTask();
        var health = await transport.CheckHealthAsync(Ct);

        await transport.DisposeAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => sending.WaitAsync(TimeSpan.FromSeconds(30), Ct));

        Assert.Equal(HealthStatus.Degraded, health.Status);
        Assert.True(sending.IsFaulted);
    }

    [Fact]
    public async Task Case_46_wrong_password_is_said_by_the_first_send_and_by_the_health()
    {
        var server = new UriBuilder(harness.Options.Server) { Password = "wrong" }.Uri;
        await using var transport = new RabbitMqTransport(harness.Options with { Server = server });

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(Message("x"), Ct));
        var health = await transport.CheckHealthAsync(Ct);

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains("Check user, password and virtual host", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("wrong", refused.Message, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Unhealthy, health.Status);
    }

    [Fact]
    public async Task Case_47_queue_that_somebody_deletes_is_made_again()
    {
        var arrived = new ConcurrentQueue<string>();
        await using var listener = await harness.RabbitMq.ListenAsync(new RabbitMqBinding(_queue), Into(arrived), Ct);

        await harness.DeleteAsync(_queue);
        await Eventually.SucceedsAsync<PostriderException, bool>(
            async () =>
            {
                await harness.RabbitMq.SendAsync(Message("after"), Ct);
                return true;
            },
            // A server that is about to delete the queue rejects the message.
            static failure => failure.Error is PostriderError.NoListener or PostriderError.QueueFull);
        await Eventually.HoldsAsync(() => arrived.Contains("after"));

        Assert.Contains("after", arrived);
    }

    [Fact]
    public async Task Full_queue_refuses_the_message()
    {
        await harness.RabbitMq.ApplyAsync(new RabbitMqBinding(_queue) { MaxLength = 1 }, Ct);

        var refused = await Eventually.GivesAsync(async () =>
        {
            try
            {
                await harness.RabbitMq.SendAsync(Message("x"), Ct);
                return null;
            }
            catch (PostriderException full)
            {
                return full;
            }
        });

        Assert.Equal(PostriderError.QueueFull, refused.Error);
    }

    [Fact]
    public async Task Missing_exchange_and_missing_queue_are_told_apart_and_the_channel_goes_on()
    {
        await harness.RabbitMq.ApplyAsync(new RabbitMqBinding(_queue) { Topics = [$"{_queue}-events/placed"] }, Ct);

        var exchange = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.SendAsync(new Envelope { Destination = $"{_queue}-nowhere/placed" }, Ct));
        var key = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.SendAsync(new Envelope { Destination = $"{_queue}-events/lost" }, Ct));
        await harness.RabbitMq.SendAsync(new Envelope { Destination = $"{_queue}-events/placed" }, Ct);

        Assert.Contains("There is no exchange", exchange.Message, StringComparison.Ordinal);
        Assert.Contains("has no queue for routing key 'lost'", key.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Classic_queue_retries_and_returns_with_the_right_count()
    {
        var counts = new ConcurrentQueue<long>();
        var binding = new RabbitMqBinding(_queue) { QueueType = RabbitMqQueueType.Classic, Retry = TransportHarness.Quick, MaxConcurrency = 1 };
        await using (await harness.RabbitMq.ListenAsync(binding, Fail, Ct))
        {
            await harness.RabbitMq.SendAsync(Message("x"), Ct);
            await Eventually.HoldsAsync(() => counts.Count == 3);
        }

        Assert.Equal([1L, 2L, 3L], counts);

        ValueTask<Envelope?> Fail(Envelope envelope, CancellationToken ct)
        {
            counts.Enqueue(envelope.Delivery!.Count);
            throw new InvalidOperationException("no");
        }
    }

    [Fact]
    public async Task Message_whose_dead_letter_cannot_be_stored_comes_again_until_it_can()
    {
        var dead = $"{_queue}-dead";
        var attempts = 0;
        var binding = new RabbitMqBinding(_queue) { DeadLetter = dead, Retry = TransportHarness.Quick with { MaxAttempts = 1 } };
        await using var listener = await harness.RabbitMq.ListenAsync(
            binding,
            (_, _) =>
            {
                Interlocked.Increment(ref attempts);
                throw new InvalidOperationException("no");
            },
            Ct);
        await harness.DeleteAsync(dead);

        await harness.RabbitMq.SendAsync(Message("kept"), Ct);
        await Eventually.HoldsAsync(() => Volatile.Read(ref attempts) > 0);
        await harness.RabbitMq.ApplyAsync(binding, Ct);
        var letter = await LetterAsync(dead);

        Assert.Equal("kept", Encoding.UTF8.GetString(letter.Body.Span));
    }

    [Fact]
    public async Task Single_active_consumer_hands_over()
    {
        var (first, second) = (new ConcurrentQueue<string>(), new ConcurrentQueue<string>());
        var binding = new RabbitMqBinding(_queue) { SingleActiveConsumer = true };
        var one = await harness.RabbitMq.ListenAsync(binding, Into(first), Ct);
        await using var two = await harness.RabbitMq.ListenAsync(binding, Into(second), Ct);

        for (var i = 0; i < 5; i++)
            await harness.RabbitMq.SendAsync(Message("before"), Ct);
        await Eventually.HoldsAsync(() => first.Count == 5);
        await one.DisposeAsync();
        await harness.RabbitMq.SendAsync(Message("after"), Ct);
        await Eventually.HoldsAsync(() => second.Count == 1);

        Assert.Equal(["after"], second);
        Assert.Equal(5, first.Count);
    }

    [Fact]
    public async Task Delay_beyond_the_maximum_is_refused()
    {
        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.RabbitMq.OpenSender(_queue).SendAsync(new MessageProperties { Delay = TimeSpan.FromDays(21) }, default, Ct));

        Assert.Contains("keeps a message back for at most 20.00:00:00", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Effective_profiles_are_logged_once_at_the_connection()
    {
        var log = new LogRecorder();
        using var loggers = LoggerFactory.Create(builder => builder.AddProvider(log));
        await using var transport = new RabbitMqTransport(harness.Options, loggers);

        await transport.CheckHealthAsync(Ct);
        await transport.CheckHealthAsync(Ct);

        var line = Assert.Single(log.Lines, static text => text.Contains("Effective profiles", StringComparison.Ordinal));
        foreach (var value in (string[])["MaxUnconfirmed = 256", "PrefetchFactor = 2", "SendAttempts = 8", "MaxBodyBytes = 262144", "RejectUnroutable = True", "ProbeTimeout = 00:00:05"])
            Assert.Contains(value, line, StringComparison.Ordinal);
        Assert.DoesNotContain("guest:guest", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Transport_of_a_container_takes_its_options_from_the_configuration()
    {
        var configuration = Section(("Server", harness.Options.Server.ToString()), ("Throughput:PrefetchFactor", "5"), ("Poison:MaxBodyBytes", "64kB"));
        var services = new ServiceCollection();
        services.AddLogging().AddPostrider();
        services.AddRabbitMqTransport("orders", new JsonSerializerProvider(WorkSettingsJson.Default), configuration);
        services.AddHealthChecks().AddPostriderTransport("orders");
        await using var provider = services.BuildServiceProvider();

        var transport = provider.GetRequiredKeyedService<ITransport>("orders");
        var health = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct);

        Assert.InRange(transport.OpenSender("q").MaxBodyBytes, 64_000, 65_536);
        Assert.Equal(HealthStatus.Healthy, health.Status);
        Assert.Equal("postrider-transport-orders", Assert.Single(health.Entries).Key);
    }

    [Theory]
    [InlineData("Servers", "amqp://localhost", "Servers")]
    [InlineData("Server", "localhost:5672", "must be an address such as amqp://")]
    [InlineData("Throughput:PrefetchFactor", "0", "PrefetchFactor")]
    public async Task Wrong_configuration_names_the_key(string key, string value, string words)
    {
        var services = new ServiceCollection();
        services.AddRabbitMqTransport("orders", new JsonSerializerProvider(WorkSettingsJson.Default), Section((key, value)));
        await using var provider = services.BuildServiceProvider();

        var wrong = Assert.Throws<InvalidConfigurationException>(() => provider.GetRequiredKeyedService<ITransport>("orders"));

        Assert.Contains(words, wrong.Message, StringComparison.Ordinal);
    }

    private static IConfigurationSection Section(params (string Key, string Value)[] values)
        => new ConfigurationBuilder().AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create($"Rabbit:{pair.Key}", (string?)pair.Value))).Build().GetSection("Rabbit");

    private static EnvelopeReceiver Into(ConcurrentQueue<string> arrived)
        => (envelope, _) =>
        {
            arrived.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
            return default;
        };

    private Envelope Message(string body) => new() { Destination = _queue, Body = Encoding.UTF8.GetBytes(body) };

    private async Task<DeadLetterMessage> LetterAsync(string queue)
        => await Eventually.GivesAsync(async () =>
        {
            await foreach (var letter in harness.RabbitMq.OpenDeadLetters(queue).ListAsync(DeadLetterQuery.All, Ct))
                return letter;
            return null;
        });
}

[System.Text.Json.Serialization.JsonSerializable(typeof(string))]
internal sealed partial class WorkSettingsJson : System.Text.Json.Serialization.JsonSerializerContext;
