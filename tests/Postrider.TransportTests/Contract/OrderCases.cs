using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 26, 27, 60 and 84: the order of the messages of one key.</summary>
public abstract class OrderCases(TransportHarness harness) : ReceivingCases(harness)
{
    [Fact]
    public async Task Case_26_messages_of_a_key_are_handled_in_order_while_others_run()
    {
        var destination = await NewDestinationAsync();
        await using var services = Services();
        await using var pump = Pump(services, destination);
        if (!Has(TransportAbilities.OrderByKey))
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(async () => await pump.StartAsync(Ct));
            Assert.Contains("set MaxConcurrency to 1", refused.Message, StringComparison.Ordinal);
            return;
        }

        await pump.StartAsync(Ct);
        for (var i = 0; i < 60; i++)
            await SendKeyAsync(destination, $"k{i % 4}", $"k{i % 4}:{i}");
        var log = services.GetRequiredService<KeyLog>();
        await Eventually.HoldsAsync(() => log.Handled.Count == 60);

        Assert.All(
            log.Handled.GroupBy(static text => text.Split(':')[0]),
            static key => Assert.Equal(key.Order(Comparer<string>.Create(static (a, b) => Number(a).CompareTo(Number(b)))), key));
    }

    [Fact]
    public async Task Case_27_slow_key_does_not_hold_the_others()
    {
        if (!Has(TransportAbilities.OrderByKey))
        {
            Assert.False(Has(TransportAbilities.OrderByKey));
            return;
        }

        var destination = await NewDestinationAsync();
        await using var services = Services();
        await using var pump = Pump(services, destination);
        await pump.StartAsync(Ct);
        var log = services.GetRequiredService<KeyLog>();

        // Sends that are under way at once may be stored in any order; in memory one ends when its message is handled.
        var waits = SendKeyAsync(destination, "slow", "wait").AsTask();
        if (Has(TransportAbilities.Durability))
            await waits;
        await log.Waiting.Task.WaitAsync(Eventually.Patience, Ct);
        var slow = Task.WhenAll(waits, SendKeyAsync(destination, "slow", "second").AsTask());
        try
        {
            await SendKeyAsync(destination, "quick", "pass");
            await Eventually.HoldsAsync(() => log.Handled.Contains("pass"));
            Assert.DoesNotContain("second", log.Handled);
        }
        finally
        {
            // The pump waits for its handlers.
            log.Gate.SetResult();
        }

        await slow;
        await Eventually.HoldsAsync(() => log.Handled.Count == 3);

        Assert.Equal(["pass", "second", "wait"], log.Handled.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Case_84_messages_of_a_key_are_handled_in_order_one_at_a_time_while_those_of_others_come_again()
    {
        const int Keys = 12, Messages = 180;
        var destination = await NewDestinationAsync();
        var log = new KeyLog();
        var (running, failed) = (new ConcurrentDictionary<string, int>(StringComparer.Ordinal), new ConcurrentDictionary<string, bool>(StringComparer.Ordinal));
        var overlaps = new ConcurrentQueue<string>();
        await using var services = new ServiceCollection().AddPostrider(options => options.ReplaceCommand<KeyedWork>(async (work, ct) =>
        {
            var key = work.Text.Split(':')[0];
            if (running.AddOrUpdate(key, 1, static (_, count) => count + 1) != 1)
                overlaps.Enqueue(work.Text);
            await Task.Yield();
            running.AddOrUpdate(key, 0, static (_, count) => count - 1);
            // Each third message of every second key fails once.
            if (key[^1] % 2 == 1 && Number(work.Text) % 3 == 0 && failed.TryAdd(work.Text, true))
                throw new InvalidOperationException("not yet");
            log.Handled.Enqueue(work.Text);
        })).BuildServiceProvider();
        await using var pump = Pump(services, destination);
        await pump.StartAsync(Ct);

        // Side by side, each key in its order.
        await Task.WhenAll(Enumerable.Range(0, Keys).Select(async key =>
        {
            for (var i = 0; i < Messages / Keys; i++)
                await SendKeyAsync(destination, $"k{(char)('a' + key)}", $"k{(char)('a' + key)}:{i}");
        }));
        await Eventually.HoldsAsync(() => log.Handled.Distinct().Count() == Messages);

        Assert.Empty(overlaps);
        Assert.NotEmpty(failed);
        Assert.All(
            log.Handled.GroupBy(static text => text.Split(':')[0]).Where(static key => key.Key[^1] % 2 == 0),
            static key => Assert.Equal(Enumerable.Range(0, Messages / Keys), key.Distinct().Select(Number)));
    }

    [Fact]
    public async Task Case_60_messages_of_a_key_wait_behind_its_dead_letter_and_follow_it_when_it_is_redriven()
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        var binding = Harness.Binding(destination) with { DeadLetter = dead, OrderByKey = true, KeepOrderBehindDeadLetters = true, MaxConcurrency = 4 };
        if (!Harness.ListsDeadLetters)
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(() => ListenAsync(binding));
            Assert.Equal(PostriderError.Configuration, refused.Error);
            Assert.Contains($"does not keep dead letters at '{dead}'", refused.Message, StringComparison.Ordinal);
            return;
        }

        var letters = Transport.OpenDeadLetters(dead);
        var (handled, attempts, isBroken) = (new ConcurrentQueue<string>(), 0, true);
        Task Handle(Envelope envelope)
        {
            if (Text(envelope) == "a1" && Interlocked.Increment(ref attempts) > 0 && Volatile.Read(ref isBroken))
                throw new InvalidOperationException("not yet");
            handled.Enqueue(Text(envelope));
            return Task.CompletedTask;
        }

        await using (await ListenAsync(binding, Handle))
        {
            await SendInOrderAsync(destination, "a1", "a2");
            await Eventually.HoldsAsync(async () => await CountAsync(letters) == 2);
        }

        // Another process knows them from the list.
        await using var listener = await ListenAsync(binding, Handle);
        await SendInOrderAsync(destination, "b1", "a3");
        await Eventually.HoldsAsync(async () => handled.Contains("b1") && await CountAsync(letters) == 3);
        var reasons = new List<DeadLetterReason?>();
        await foreach (var letter in letters.ListAsync(DeadLetterQuery.All, Ct))
            reasons.Add(letter.Reason);
        Volatile.Write(ref isBroken, false);
        Assert.Equal(3, await letters.RedriveAsync(DeadLetterQuery.All, Ct));
        await Eventually.HoldsAsync(() => handled.Count == 4);
        await SendInOrderAsync(destination, "a4");
        await Eventually.HoldsAsync(() => handled.Count == 5);

        // All attempts of the first one were made before the second one had its turn.
        Assert.Equal([DeadLetterReason.Exhausted, DeadLetterReason.BehindDeadLetter, DeadLetterReason.BehindDeadLetter], reasons);
        Assert.Equal(["b1", "a1", "a2", "a3", "a4"], handled);
        Assert.Equal(TransportHarness.Quick.MaxAttempts + 1, attempts);
    }

    [Theory]
    [InlineData("text/csv", "wait,pass", "text/csv")]
    [InlineData("application/json", "{\"text\":", "")]
    public async Task Case_37_message_of_an_unknown_format_is_a_dead_letter_with_its_bytes(string contentType, string body, string named)
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        await using var services = Services();
        await using var pump = new MessagePump(Transport, new JsonSerializerProvider(WorkJson.Default), services).Command<KeyedWork>(Harness.Binding(destination) with { DeadLetter = dead });
        await pump.StartAsync(Ct);

        await Transport.OpenSender(destination).SendAsync(new MessageProperties { ContentType = contentType }, Encoding.UTF8.GetBytes(body), Ct);
        // A newer version of the sender's, with a field that is not known here.
        await Transport.OpenSender(destination).SendAsync(default, "{\"text\":\"newer\",\"colour\":\"blue\"}"u8.ToArray(), Ct);
        var letter = await letters.NextAsync();
        var log = services.GetRequiredService<KeyLog>();
        await Eventually.HoldsAsync(() => !log.Handled.IsEmpty);

        Assert.Equal((body, contentType, "Unreadable"), (Text(letter), letter.Headers[HeaderNames.ContentType], letter.Headers[DeadLetterHeaders.Reason]));
        Assert.Contains(named, letter.Headers[HeaderNames.Error], StringComparison.Ordinal);
        Assert.Equal(["newer"], log.Handled);
    }

    private static int Number(string text) => int.Parse(text.Split(':')[1], CultureInfo.InvariantCulture);

    private static ServiceProvider Services() => new ServiceCollection().AddSingleton<KeyLog>().AddPostrider().BuildServiceProvider();

    private MessagePump Pump(ServiceProvider services, string destination)
        => new MessagePump(Transport, new JsonSerializerProvider(WorkJson.Default), services).Command<KeyedWork>(Harness.Binding(destination) with { MaxConcurrency = 16, OrderByKey = true });

    // Ids in the order of the messages: some transports list dead letters by them.
    private async Task SendInOrderAsync(string destination, params string[] texts)
    {
        foreach (var text in texts)
            await Transport.OpenSender(destination).SendAsync(new MessageProperties { MessageId = $"{destination}-{text}", Key = text[..1] }, Encoding.UTF8.GetBytes(text), Ct);
    }

    private async Task<int> CountAsync(IDeadLetters letters)
    {
        var count = 0;
        await foreach (var _ in letters.ListAsync(DeadLetterQuery.All, Ct))
            count++;
        return count;
    }

    private ValueTask SendKeyAsync(string destination, string key, string text)
        => Transport.OpenSender(destination).SendAsync(new MessageProperties { Key = key }, Encoding.UTF8.GetBytes($"{{\"text\":\"{text}\"}}"), Ct);
}

internal sealed partial record KeyedWork(string Text) : ICommand;

internal sealed class KeyLog
{
    public ConcurrentQueue<string> Handled { get; } = new();

    public TaskCompletionSource Waiting { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

internal static class KeyHandlers
{
    [Handler]
    public static async Task Handle(KeyedWork work, KeyLog log)
    {
        if (work.Text == "wait")
        {
            log.Waiting.TrySetResult();
            await log.Gate.Task;
        }
        else
        {
            await Task.Yield();
        }

        log.Handled.Enqueue(work.Text);
    }
}

[JsonSerializable(typeof(KeyedWork))]
internal sealed partial class WorkJson : JsonSerializerContext;
