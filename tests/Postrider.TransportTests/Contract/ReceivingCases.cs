using System.Collections.Concurrent;
using System.Diagnostics;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 22 to 39: who gets a message, how many at once, and what becomes of one that fails.</summary>
public abstract class ReceivingCases(TransportHarness harness) : BadMessageCases(harness)
{
    [Fact]
    public async Task Case_22_two_listeners_of_one_group_share_the_messages()
    {
        var destination = await NewDestinationAsync();
        var binding = Harness.Binding(destination);
        if (Has(TransportAbilities.Groups))
            binding = binding with { Group = "workers" };
        var seen = new ConcurrentQueue<string>();
        Task Note(Envelope envelope)
        {
            seen.Enqueue(Text(envelope));
            return Task.CompletedTask;
        }

        await using var one = await ListenAsync(binding, Note);
        await using var two = await ListenAsync(binding, Note);
        for (var i = 0; i < 40; i++)
            await SendAsync(destination, $"{i}");
        await Eventually.HoldsAsync(() => seen.Count >= 40);

        Assert.Equal(40, seen.Distinct(StringComparer.Ordinal).Count());
        Assert.Equal(40, seen.Count);
    }

    [Fact]
    public async Task Case_23_two_groups_get_every_message()
    {
        var (destination, first, second) = await Harness.TwoGroupsAsync();
        if (!Harness.HasCopies)
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(() => ListenAsync(first));
            Assert.Equal(PostriderError.Configuration, refused.Error);
            Assert.Contains("it has a Group", refused.Message, StringComparison.Ordinal);
            return;
        }

        await using var one = await ListenAsync(first);
        await using var two = await ListenAsync(second);

        await SendAsync(destination, "news");

        Assert.Equal(("news", "news"), (Text(await one.NextAsync()), Text(await two.NextAsync())));
    }

    [Fact]
    public async Task Case_24_no_more_run_at_once_than_the_binding_allows()
    {
        var destination = await NewDestinationAsync();
        var elsewhere = await NewDestinationAsync();
        var (running, most) = (0, 0);
        var gate = new Lock();
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var other = await ListenAsync(Harness.Binding(elsewhere));
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { MaxConcurrency = 3 },
            async _ =>
            {
                lock (gate)
                    most = Math.Max(most, ++running);
                await release.Task;
                lock (gate)
                    running--;
            });

        var sent = Task.WhenAll(Enumerable.Range(0, 30).Select(i => SendAsync(destination, $"{i}").AsTask()));
        await Eventually.HoldsAsync(() => Volatile.Read(ref running) == 3);
        // A message that is sent now and arrives says that a fourth one had its chance.
        await SendAsync(elsewhere, "later");
        await other.NextAsync();
        release.SetResult();
        await sent;
        await arrivals.TakeAsync(30);

        Assert.InRange(most, 1, 3);
    }

    [Fact]
    public async Task Case_25_concurrency_of_one_keeps_the_order()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });

        for (var i = 0; i < 40; i++)
            await SendAsync(destination, $"{i}");

        Assert.Equal(Enumerable.Range(0, 40).Select(i => $"{i}"), (await arrivals.TakeAsync(40)).Select(Text));
    }

    [Fact]
    public async Task Case_28_message_whose_handler_threw_comes_again_as_attempt_two()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination), static envelope => envelope.Delivery!.Count == 1 ? throw new InvalidOperationException("not yet") : Task.CompletedTask);

        await Transport.SendAsync(Message(destination, "patience", new Headers { { HeaderNames.MessageId, "m" }, { "Colour", "blue" } }), Ct);
        var arrived = await arrivals.TakeAsync(2);

        Assert.Equal([1L, 2L], arrived.Select(static envelope => envelope.Delivery!.Count));
        Assert.All(arrived, envelope => Assert.Equal(("patience", "m", "blue"), (Text(envelope), envelope.Headers[HeaderNames.MessageId], envelope.Headers["Colour"])));
    }

    [Fact]
    public async Task Case_29_next_attempt_does_not_come_before_its_delay()
    {
        var destination = await NewDestinationAsync();
        var delay = TimeSpan.FromMilliseconds(400);
        var times = new ConcurrentQueue<long>();
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { Retry = TransportHarness.Quick with { Backoff = Backoff.Constant, BaseDelay = delay, MaxDelay = delay } },
            _ =>
            {
                times.Enqueue(Stopwatch.GetTimestamp());
                return times.Count < 3 ? throw new InvalidOperationException("not yet") : Task.CompletedTask;
            });

        await SendAsync(destination, "slowly");
        await arrivals.TakeAsync(3);

        var at = times.ToArray();
        Assert.True(Stopwatch.GetElapsedTime(at[0], at[1]) >= delay * 0.8, $"{Stopwatch.GetElapsedTime(at[0], at[1])}");
        Assert.True(Stopwatch.GetElapsedTime(at[1], at[2]) >= delay * 0.8, $"{Stopwatch.GetElapsedTime(at[1], at[2])}");
    }

    [Fact]
    public async Task Case_30_message_whose_attempts_are_used_up_is_a_dead_letter_that_tells_everything()
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { DeadLetter = dead }, static _ => throw new InvalidOperationException("never\nat all"));

        await Transport.SendAsync(Message(destination, "lost cause", new Headers { { HeaderNames.MessageId, "m" }, { "Colour", "blue" } }), Ct);
        var letter = await letters.NextAsync();

        Assert.Equal([1L, 2L, 3L], (await arrivals.TakeAsync(3)).Select(static envelope => envelope.Delivery!.Count));
        Assert.Equal(("lost cause", "m", "blue"), (Text(letter), letter.Headers[HeaderNames.MessageId], letter.Headers["Colour"]));
        Assert.Equal(("Exhausted", Harness.Binding(destination).Source, "3"), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[DeadLetterHeaders.Subject], letter.Headers[DeadLetterHeaders.Deliveries]));
        Assert.Equal(("never at all", "InvalidOperationException"), (letter.Headers[HeaderNames.Error], letter.Headers[HeaderNames.ErrorCode]));
        Assert.False(string.IsNullOrEmpty(letter.Headers[DeadLetterHeaders.Stream]));
        Assert.False(arrivals.HasMore);
    }

    [Fact]
    public async Task Case_31_unreadable_message_is_a_dead_letter_at_once()
    {
        var letter = await DeadLetterAsync(static envelope => envelope.Delivery!.Fail(new FormatException("no message"), isUnreadable: true));

        Assert.Equal(("Unreadable", "1"), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[DeadLetterHeaders.Deliveries]));
    }

    [Fact]
    public async Task Case_32_final_error_is_a_dead_letter_at_once()
    {
        var letter = await DeadLetterAsync(static _ => throw new PostriderException(PostriderError.Refused, "no such article"));

        Assert.Equal(("Final", "Refused", "1"), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[HeaderNames.ErrorCode], letter.Headers[DeadLetterHeaders.Deliveries]));
    }

    [Fact]
    public async Task Case_34_handler_that_runs_longer_than_the_lease_keeps_its_message()
    {
        var destination = await NewDestinationAsync();
        var lease = Harness.Lease ?? TimeSpan.FromMilliseconds(500);
        await using var arrivals = await ListenAsync(Harness.LeaseBinding(destination), async envelope =>
        {
            // The time itself is what is tried here.
            if (Text(envelope) == "slow")
                await Task.Delay(lease * 1.5, Ct);
        });
        await using var other = await ListenAsync(Harness.LeaseBinding(destination), static _ => Task.CompletedTask);

        await SendAsync(destination, "slow");
        var arrived = await FirstAsync(arrivals, other);
        await SendAsync(destination, "next");
        var next = await FirstAsync(arrivals, other);
        // In memory each listener gets its own.
        while (Text(next) == "slow" && !Has(TransportAbilities.Durability))
            next = await FirstAsync(arrivals, other);

        Assert.Equal(("slow", 1L), (Text(arrived), arrived.Delivery!.Count));
        Assert.Equal(("next", 1L), (Text(next), next.Delivery!.Count));
    }

    [Fact]
    public async Task Case_38_message_that_fails_in_two_ways_is_settled_once()
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { DeadLetter = dead, MaxConcurrency = 1 },
            static envelope =>
            {
                if (Text(envelope) == "next")
                    return Task.CompletedTask;
                envelope.Delivery!.Fail(new FormatException("no message"), isUnreadable: true);
                throw new InvalidOperationException("and the handler too");
            });

        await SendAsync(destination, "twice");
        var letter = await letters.NextAsync();
        await SendAsync(destination, "next");
        var arrived = await arrivals.TakeAsync(2);

        Assert.Equal(("twice", "Unreadable", "1"), (Text(letter), letter.Headers[DeadLetterHeaders.Reason], letter.Headers[DeadLetterHeaders.Deliveries]));
        Assert.Equal([("twice", 1L), ("next", 1L)], arrived.Select(static envelope => (Text(envelope), envelope.Delivery!.Count)));
        Assert.False(letters.HasMore);
    }

    [Fact]
    public async Task Case_39_storm_of_failures_comes_no_faster_than_the_delays()
    {
        const int Messages = 20;
        var destination = await NewDestinationAsync();
        var delay = TimeSpan.FromMilliseconds(200);
        var attempts = 0;
        var began = Stopwatch.GetTimestamp();
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { MaxConcurrency = Messages, Retry = TransportHarness.Quick with { MaxAttempts = 1000, Backoff = Backoff.Constant, BaseDelay = delay, MaxDelay = delay } },
            _ =>
            {
                Interlocked.Increment(ref attempts);
                throw new InvalidOperationException("always");
            });
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var sending = Task.WhenAll(Enumerable.Range(0, Messages).Select(i => Transport.SendAsync(Message(destination, $"{i}"), ended.Token).AsTask()));
        if (!Harness.SendersWait)
            await sending;

        await Eventually.HoldsAsync(() => Volatile.Read(ref attempts) >= 4 * Messages);

        // Counted before the time is taken. A delay may be a little shorter than was asked for.
        var counted = Volatile.Read(ref attempts);
        var elapsed = Stopwatch.GetElapsedTime(began);
        Assert.True(counted <= Messages * (1 + elapsed / (delay * 0.8)), $"{counted} attempts in {elapsed}");
        await ended.CancelAsync();
        if (Harness.SendersWait)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending);
    }

    [Fact]
    public async Task Case_36_message_that_fails_does_not_hold_the_others()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination), static envelope => Text(envelope) == "bad" ? throw new PostriderException(PostriderError.NoHandler, "unknown") : Task.CompletedTask);

        if (Harness.SendersWait)
            Assert.Equal(PostriderError.Refused, (await Assert.ThrowsAsync<PostriderException>(async () => await SendAsync(destination, "bad"))).Error);
        else
            await SendAsync(destination, "bad");
        await SendAsync(destination, "good");

        Assert.Equal(["bad", "good"], (await arrivals.TakeAsync(2)).Select(Text).Order(StringComparer.Ordinal));
    }

    private static async Task<Envelope> FirstAsync(Arrivals one, Arrivals two)
    {
        Envelope? first = null;
        await Eventually.HoldsAsync(() => one.TryNext(out first) || two.TryNext(out first));
        return first!;
    }

    private async Task<Envelope> DeadLetterAsync(Action<Envelope> fail)
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { DeadLetter = dead },
            envelope =>
            {
                fail(envelope);
                return Task.CompletedTask;
            });
        await SendAsync(destination, "x");
        return await letters.NextAsync();
    }
}
