using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Serialization;
using Postrider.TestKit;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>Bindings with <see cref="AtLeastOnceBinding.KeepOrderBehindDeadLetters"/>; the contract has them over every transport.</summary>
public sealed class OrderBehindDeadLettersTests : IAsyncLifetime
{
    private static readonly AtLeastOnceBinding s_binding = new("orders")
    {
        OrderByKey = true,
        KeepOrderBehindDeadLetters = true,
        DeadLetter = "dead",
        Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 2, Backoff = Backoff.Constant, BaseDelay = TimeSpan.FromSeconds(10), MaxDelay = TimeSpan.FromSeconds(10) },
    };

    private readonly TestClock _clock = new();
    private readonly List<string> _handled = [];
    private readonly HashSet<string> _bad = new(StringComparer.Ordinal);
    private InMemoryTransport _transport = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    private IDeadLetters Letters => _transport.OpenDeadLetters("dead");

    public ValueTask InitializeAsync()
    {
        _transport = new InMemoryTransport(_clock);
        return default;
    }

    public ValueTask DisposeAsync() => _transport.DisposeAsync();

    [Fact]
    public async Task Key_whose_dead_letters_were_purged_goes_on()
    {
        await using var listener = await ListenAsync(s_binding);
        _bad.Add("a1");
        await SendAsync("a1", "a2");

        await Letters.PurgeAsync(DeadLetterQuery.All, Ct);
        // The list is not read again at once.
        _clock.Advance(TimeSpan.FromSeconds(3));
        await SendAsync("a3");

        Assert.Equal(["a3"], _handled);
        Assert.Empty(await ListAsync());
    }

    [Fact]
    public async Task Message_that_fails_again_keeps_those_behind_it()
    {
        await using var listener = await ListenAsync(s_binding);
        _bad.Add("a1");
        await SendAsync("a1", "a2", "a3");

        await Letters.RedriveAsync(DeadLetterQuery.All, Ct);

        Assert.Empty(_handled);
        Assert.Equal([("a1", DeadLetterReason.Final), ("a2", DeadLetterReason.BehindDeadLetter), ("a3", DeadLetterReason.BehindDeadLetter)], await ListAsync());
    }

    [Fact]
    public async Task Message_behind_one_that_was_purged_is_handled_when_it_is_redriven()
    {
        await using var listener = await ListenAsync(s_binding);
        _bad.Add("a1");
        await SendAsync("a1", "a2", "a3");
        await Letters.PurgeAsync(new() { Reason = DeadLetterReason.Final }, Ct);
        _clock.Advance(TimeSpan.FromSeconds(3));

        await SendAsync("a4");
        await Letters.RedriveAsync(DeadLetterQuery.All, Ct);
        await SendAsync("a5");

        Assert.Equal(["a2", "a3", "a4", "a5"], _handled);
        Assert.Empty(await ListAsync());
    }

    [Fact]
    public async Task Messages_of_other_keys_and_without_a_key_do_not_wait()
    {
        await using var listener = await ListenAsync(s_binding);
        _bad.Add("a1");

        await SendAsync("a1", "b1", "a2");
        await _transport.OpenSender("orders").SendAsync(default, "none"u8.ToArray(), Ct);

        Assert.Equal(["b1", "none"], _handled);
    }

    [Fact]
    public async Task Dead_letters_of_another_source_hold_nothing()
    {
        await using var orders = await ListenAsync(s_binding);
        await using var payments = await ListenAsync(s_binding with { Source = "payments" });
        _bad.Add("a1");
        await SendAsync("a1");

        await _transport.OpenSender("payments").SendAsync(new MessageProperties { MessageId = "p1", Key = "a" }, "p1"u8.ToArray(), Ct);

        Assert.Equal(["p1"], _handled);
    }

    [Fact]
    public async Task Message_that_is_retried_holds_its_key_until_it_is_handled()
    {
        var attempts = new List<(string Text, long Attempt)>();
        await using var listener = await _transport.ListenAsync(
            s_binding,
            (envelope, _) =>
            {
                attempts.Add((Text(envelope), envelope.Delivery!.Count));
                return attempts.Count == 1 ? throw new InvalidOperationException("not yet") : default;
            },
            Ct);

        var first = _transport.OpenSender("orders").SendAsync(Properties("a1"), "a1"u8.ToArray(), Ct).AsTask();
        var second = _transport.OpenSender("orders").SendAsync(Properties("a2"), "a2"u8.ToArray(), Ct).AsTask();
        await Eventually.HoldsAsync(() => _clock.ArmedTimers == 1);
        Assert.Equal([("a1", 1L)], attempts);
        _clock.Advance(TimeSpan.FromSeconds(10));
        await Task.WhenAll(first, second).WaitAsync(Eventually.Patience, Ct);

        Assert.Equal([("a1", 1L), ("a1", 2L), ("a2", 1L)], attempts);
    }

    [Fact]
    public async Task Message_is_returned_when_its_listener_stops_while_it_waits()
    {
        using var abandoned = new CancellationTokenSource();
        var processor = new DeliveryProcessor(s_binding, static (_, _) => throw new InvalidOperationException("not yet"), _transport.OpenSender("dead"), NullLogger.Instance, _clock, abandoned.Token);
        var delivery = new Delivery { Count = 1 };

        var handling = processor.HandleAsync(Envelope("a1", delivery)).AsTask();
        await Eventually.HoldsAsync(() => _clock.ArmedTimers == 1);
        await abandoned.CancelAsync();
        await handling.WaitAsync(Eventually.Patience, Ct);

        Assert.Equal(SettlementKind.Return, delivery.Settled);
    }

    [Fact]
    public async Task Message_waits_while_the_dead_letters_cannot_be_listed()
    {
        var letters = new Unavailable();
        var processor = new DeliveryProcessor(s_binding, Handle, _transport.OpenSender("dead"), NullLogger.Instance, _clock, Ct, letters);
        var delivery = new Delivery { Count = 1 };

        var handling = processor.HandleAsync(Envelope("a1", delivery)).AsTask();
        await Eventually.HoldsAsync(() => _clock.ArmedTimers == 1);
        Assert.Empty(_handled);
        letters.IsBack = true;
        _clock.Advance(TimeSpan.FromSeconds(10));
        await handling.WaitAsync(Eventually.Patience, Ct);

        Assert.Equal((SettlementKind.Done, "a1"), (delivery.Settled, Assert.Single(_handled)));
    }

    [Theory]
    [InlineData("no order", "KeepOrderBehindDeadLetters is set and OrderByKey is not")]
    [InlineData("no dead letters", "there is no DeadLetter")]
    [InlineData("a form of another system", "in a form of another system, whose key is known only when the message is read")]
    [InlineData("batches", "the binding has KeepOrderBehindDeadLetters, which handles the messages of a key one by one")]
    public async Task Binding_that_cannot_keep_the_order_is_refused(string what, string words)
    {
        await using var services = new ServiceCollection().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(_transport, new JsonSerializerProvider(OrderWorkJson.Default), services);
        async Task StartAsync() => await (what switch
        {
            "no order" => pump.Command<OrderWork>(s_binding with { OrderByKey = false }),
            "no dead letters" => pump.Command<OrderWork>(s_binding with { DeadLetter = null }),
            "batches" => pump.Batch<OrderWork>(s_binding with { MaxConcurrency = 100 }),
            _ => pump.Command<OrderWork>(s_binding with { CloudEvents = new("/orders") }),
        }).StartAsync(Ct);

        var refused = await Assert.ThrowsAsync<PostriderException>(StartAsync);

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    private static string Text(Envelope envelope) => Encoding.UTF8.GetString(envelope.Body.Span);

    private static MessageProperties Properties(string text) => new() { MessageId = text, Key = text[..1] };

    private static Envelope Envelope(string text, MessageDelivery delivery)
        => new() { Destination = "orders", Headers = { { HeaderNames.MessageId, text }, { HeaderNames.Key, text[..1] } }, Body = Encoding.UTF8.GetBytes(text), Delivery = delivery };

    private ValueTask<Envelope?> Handle(Envelope envelope, CancellationToken ct)
    {
        if (_bad.Contains(Text(envelope)))
            throw new PostriderException(PostriderError.Refused, "no");
        _handled.Add(Text(envelope));
        return default;
    }

    private ValueTask<IAsyncDisposable> ListenAsync(AtLeastOnceBinding binding) => _transport.ListenAsync(binding, Handle, Ct);

    private async Task SendAsync(params string[] texts)
    {
        foreach (var text in texts)
            await _transport.OpenSender("orders").SendAsync(Properties(text), Encoding.UTF8.GetBytes(text), Ct);
    }

    private async Task<List<(string Text, DeadLetterReason? Reason)>> ListAsync()
    {
        var all = new List<(string, DeadLetterReason?)>();
        await foreach (var letter in Letters.ListAsync(DeadLetterQuery.All, Ct))
            all.Add((Encoding.UTF8.GetString(letter.Body.Span), letter.Reason));
        return all;
    }

    private sealed class Delivery : MessageDelivery
    {
        public SettlementKind? Settled { get; private set; }

        protected internal override ValueTask SettleAsync(Settlement settlement)
        {
            Settled = settlement.Kind;
            return default;
        }
    }

    private sealed class Unavailable : IDeadLetters
    {
        public bool IsBack { get; set; }

        public string Source => "dead";

        public IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, CancellationToken ct = default)
            => IsBack ? AsyncEnumerable.Empty<DeadLetterMessage>() : throw new TimeoutException("No server answers.");

        public ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default) => new(0);

        public ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default) => new(0);
    }
}

internal sealed partial record OrderWork(string Text) : ICommand;

internal static class OrderWorkHandlers
{
    [Handler]
    public static void Handle(OrderWork work) => Assert.NotNull(work.Text);
}

[JsonSerializable(typeof(OrderWork))]
internal sealed partial class OrderWorkJson : JsonSerializerContext;
