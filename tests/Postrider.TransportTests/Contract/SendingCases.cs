using System.Diagnostics;
using Postrider.Envelopes;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 1 to 12: what a completed send means, and what a failed one.</summary>
public abstract class SendingCases(TransportHarness harness) : TransportCases(harness)
{
    [Fact]
    public async Task Case_01_message_is_stored_when_the_send_ends()
    {
        var destination = await NewDestinationAsync();
        if (Has(TransportAbilities.Durability))
        {
            var sender = await Harness.OpenAsync();
            await sender.SendAsync(Message(destination, "kept"), Ct);
            await sender.DisposeAsync();
        }
        else
        {
            // Not durable: a message without a listener is gone, and the next one arrives alone.
            await SendToNobodyAsync(destination);
        }

        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        if (!Has(TransportAbilities.Durability))
            await SendAsync(destination, "kept");

        Assert.Equal("kept", Text(await arrivals.NextAsync()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100_000)]
    public async Task Case_02_body_arrives_as_it_was_sent(int bytes)
    {
        var destination = await NewDestinationAsync();
        var body = new byte[bytes];
        new Random(bytes).NextBytes(body);
        await using var arrivals = await ListenAsync(Harness.Binding(destination));

        await Transport.SendAsync(new Envelope { Destination = destination, Body = body }, Ct);

        Assert.Equal(body, (await arrivals.NextAsync()).Body.ToArray());
    }

    [Fact]
    public async Task Case_02_body_beyond_the_limit_is_refused_with_both_numbers_and_nothing_is_sent()
    {
        var destination = await NewDestinationAsync();
        var sender = Transport.OpenSender(destination);
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        if (sender.MaxBodyBytes == long.MaxValue)
        {
            Assert.False(Has(TransportAbilities.Durability));
        }
        else
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(async () => await sender.SendAsync(default, new byte[sender.MaxBodyBytes + 1], Ct));

            Assert.Equal(PostriderError.TooLarge, refused.Error);
            Assert.Contains($"{sender.MaxBodyBytes + 1} bytes", refused.Message, StringComparison.Ordinal);
            Assert.Contains($"{sender.MaxBodyBytes} bytes", refused.Message, StringComparison.Ordinal);
        }

        await SendAsync(destination, "next");
        Assert.Equal("next", Text(await arrivals.NextAsync()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(11)]
    public async Task Case_03_batch_arrives_whole_whatever_the_transport_takes_at_once(int count)
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        // Eleven of them are more than the 1 MiB that a request to SQS may have.
        var messages = Enumerable.Range(0, count).Select(static i => new OutgoingMessage(new() { MessageId = $"batch-{i}" }, Body(i, 100_000))).ToList();

        var results = await Transport.OpenSender(destination).SendBatchAsync(messages, Ct);

        Assert.Equal(count, results.Count);
        Assert.All(results, static result => Assert.Null(result.Error));
        var arrived = await arrivals.TakeAsync(count);
        Assert.Equal(messages.Select(static message => message.Body.ToArray()), arrived.Select(static envelope => envelope.Body.ToArray()).OrderBy(static body => body[0]));
    }

    [Fact]
    public async Task Case_04_only_the_bad_message_of_a_batch_fails()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        var expired = new MessageProperties { ExpiresAt = DateTimeOffset.UtcNow - TimeSpan.FromMinutes(1) };
        OutgoingMessage[] messages = [new(default, Body(0, 10)), new(expired, Body(1, 10)), new(default, Body(2, 10))];

        var results = await Transport.OpenSender(destination).SendBatchAsync(messages, Ct);

        Assert.Equal([true, false, true], results.Select(static result => result.IsSent));
        Assert.IsType<TimeoutException>(results[1].Error);
        Assert.Equal([0, 2], (await arrivals.TakeAsync(2)).Select(static envelope => (int)envelope.Body.Span[0]).Order());
        Assert.False(arrivals.HasMore);
    }

    [Fact]
    public async Task Case_05_destination_that_nothing_keeps_is_an_error()
    {
        var nowhere = Harness.NewDestination();
        if (!Has(TransportAbilities.Durability))
        {
            await SendToNobodyAsync(nowhere);
            return;
        }

        var error = await Assert.ThrowsAsync<PostriderException>(async () => await SendAsync(nowhere, "lost"));

        Assert.Equal(PostriderError.NoListener, error.Error);
        Assert.Contains($"'{nowhere}'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_06_sender_whose_target_went_away_works_when_it_is_back()
    {
        var destination = await NewDestinationAsync();
        var sender = Transport.OpenSender(destination);
        await using (Harness.SendersWait ? await ListenAsync(Harness.Binding(destination)) : null)
            await sender.SendAsync(default, "first"u8.ToArray(), Ct);
        await Harness.DeleteAsync(destination);
        if (Has(TransportAbilities.Durability) || Harness.SendersWait)
        {
            var error = await Assert.ThrowsAsync<PostriderException>(async () => await sender.SendAsync(default, "lost"u8.ToArray(), Ct));
            Assert.Equal(PostriderError.NoListener, error.Error);
        }

        await Harness.CreateAsync(destination);
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        await sender.SendAsync(default, "again"u8.ToArray(), Ct);

        Assert.Equal("again", Text(await arrivals.NextAsync()));
    }

    [Fact]
    public async Task Case_07_send_that_was_cancelled_before_it_began_sends_nothing()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Transport.SendAsync(Message(destination, "never"), new CancellationToken(canceled: true)));
        await SendAsync(destination, "next");

        Assert.Equal("next", Text(await arrivals.NextAsync()));
    }

    [Fact]
    public async Task Case_08_every_confirmed_message_is_there_after_the_connection_was_cut()
    {
        var destination = await NewDestinationAsync();
        var sender = Transport.OpenSender(destination);
        var sent = new List<string>();
        await using var early = Harness.SendersWait ? await ListenAsync(Harness.Binding(destination)) : null;

        for (var i = 0; i < 60; i++)
        {
            if (i % 20 == 10)
                Harness.Cut();
            if (!Has(TransportAbilities.Durability) && early is null)
                break;
            await sender.SendAsync(new MessageProperties { MessageId = $"{destination}-{i}" }, BitConverter.GetBytes(i), Ct);
            sent.Add($"{destination}-{i}");
        }

        var seen = new HashSet<string>(StringComparer.Ordinal);
        await using var late = early is null ? await ListenAsync(Harness.Binding(destination)) : null;
        var arrivals = (early ?? late)!;
        // At least once: a send that was repeated may have arrived twice.
        while (seen.Count < sent.Count)
            seen.Add((await arrivals.NextAsync()).Headers[HeaderNames.MessageId]!);
        Assert.Equal(sent.Order(StringComparer.Ordinal), seen.Order(StringComparer.Ordinal));
        Assert.Equal(Harness.HasConnection, sent.Count > 0);
    }

    [Fact]
    public async Task Case_09_message_that_is_sent_twice_is_stored_once_where_the_transport_can()
    {
        var destination = await NewDestinationAsync();
        // moto recognizes a repetition only of a message that is still there.
        var early = Has(TransportAbilities.Durability) ? null : await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });
        Headers Key() => new() { { HeaderNames.IdempotencyKey, destination } };

        await Transport.SendAsync(Message(destination, "one", Key()), Ct);
        await Transport.SendAsync(Message(destination, "two", Key()), Ct);
        await SendAsync(destination, "three");

        await using var arrivals = early ?? await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });
        string[] expected = Has(TransportAbilities.Deduplication) ? ["one", "three"] : ["one", "two", "three"];
        Assert.Equal(expected, (await arrivals.TakeAsync(expected.Length)).Select(Text));
    }

    [Fact]
    public async Task Case_10_sixteen_threads_send_over_one_sender_and_each_keeps_its_order()
    {
        const int Threads = 16;
        var each = Harness.MessagesOfThread;
        var destination = await NewDestinationAsync();
        var sender = Transport.OpenSender(destination);
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            for (var i = 0; i < each; i++)
                await sender.SendAsync(default, new byte[] { (byte)thread, (byte)i }, Ct);
        })));

        var arrived = (await arrivals.TakeAsync(Threads * each)).Select(envelope => envelope.Body.ToArray()).ToList();
        Assert.All(arrived.GroupBy(body => body[0]), ofThread => Assert.Equal(Enumerable.Range(0, each), ofThread.Select(body => (int)body[1])));
    }

    [Fact]
    public async Task Case_11_bytes_may_be_used_again_when_the_send_ends()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });
        var buffer = new byte[1000];

        for (byte i = 0; i < 10; i++)
        {
            buffer.AsSpan().Fill(i);
            await Transport.OpenSender(destination).SendAsync(default, buffer, Ct);
        }

        buffer.AsSpan().Fill(255);
        var arrived = await arrivals.TakeAsync(10);
        Assert.All(arrived.Index(), item => Assert.All(item.Item.Body.ToArray(), value => Assert.Equal(item.Index, value)));
    }

    [Fact]
    public async Task Case_12_message_that_has_expired_is_not_sent()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        var expired = new MessageProperties { ExpiresAt = DateTimeOffset.UtcNow.AddSeconds(-1) };

        var error = await Assert.ThrowsAsync<TimeoutException>(async () => await Transport.OpenSender(destination).SendAsync(expired, "late"u8.ToArray(), Ct));
        await SendAsync(destination, "next");

        Assert.Contains($"'{destination}'", error.Message, StringComparison.Ordinal);
        Assert.Equal("next", Text(await arrivals.NextAsync()));
    }

    [Fact]
    public async Task Case_12_message_that_expires_while_it_waits_is_a_dead_letter()
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        // The first attempt fails, and the next one is due after the expiry.
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { DeadLetter = dead, Retry = TransportHarness.Quick with { Backoff = Resilience.Backoff.Constant, BaseDelay = TimeSpan.FromMilliseconds(500), MaxDelay = TimeSpan.FromMilliseconds(500) } },
            static _ => throw new InvalidOperationException("not yet"));

        await Transport.OpenSender(destination).SendAsync(new MessageProperties { ExpiresAt = DateTimeOffset.UtcNow.AddMilliseconds(300) }, "short"u8.ToArray(), Ct);
        var letter = await letters.NextAsync();

        Assert.True(Has(TransportAbilities.Expiry));
        Assert.Equal(("short", "Expired"), (Text(letter), letter.Headers[DeadLetterHeaders.Reason]));
    }

    [Fact]
    public async Task Delay_is_kept_by_a_transport_that_can_and_refused_by_one_that_cannot()
    {
        var destination = await NewDestinationAsync();
        var target = new SendTarget(destination) { Delay = TimeSpan.FromMilliseconds(500) };
        if (!Harness.Delays)
        {
            var refused = Assert.Throws<PostriderException>(() => Transport.OpenSender(target));
            Assert.Equal(PostriderError.Configuration, refused.Error);
            Assert.Contains("remove Delay from the SendTarget", refused.Message, StringComparison.Ordinal);
            var late = await Assert.ThrowsAsync<PostriderException>(async () => await Transport.OpenSender(destination).SendAsync(new MessageProperties { Delay = target.Delay }, default, Ct));
            Assert.Equal(PostriderError.Configuration, late.Error);
            return;
        }

        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });
        var began = Stopwatch.GetTimestamp();
        await Transport.OpenSender(target).SendAsync(new MessageProperties { Delay = target.Delay }, "later"u8.ToArray(), Ct);
        await SendAsync(destination, "at once");

        var first = Text((await arrivals.TakeAsync(1)).Single());
        var taken = Stopwatch.GetElapsedTime(began);
        var second = Text((await arrivals.TakeAsync(1)).Single());
        Assert.Equal(["at once", "later"], ((string[])[first, second]).Order(StringComparer.Ordinal));
        // A busy machine may need longer for the second send than the first one is delayed.
        Assert.True(first == "at once" || taken >= target.Delay * 0.9, $"later after {taken}");
    }

    [Fact]
    public async Task Extreme_time_is_refused_with_the_limit_of_the_transport_or_kept()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        var sender = Transport.OpenSender(destination);
        var never = new MessageProperties { Delay = TimeSpan.MaxValue };

        if (Harness.Delays && sender.MaxDelay == TimeSpan.MaxValue)
        {
            await sender.SendAsync(never, "never"u8.ToArray(), Ct);
        }
        else
        {
            var late = await Assert.ThrowsAsync<PostriderException>(async () => await sender.SendAsync(never, "never"u8.ToArray(), Ct));
            var route = Assert.Throws<PostriderException>(() => new RemoteHandler<string, Unit>(Transport, Serialization.TextSerializerProvider.Instance, new SendTarget(destination) { Delay = TimeSpan.MaxValue }));
            Assert.Equal((PostriderError.Configuration, PostriderError.Configuration), (late.Error, route.Error));
            if (Harness.Delays)
                Assert.All([late, route], error => Assert.Contains($"at most {sender.MaxDelay}: ", error.Message, StringComparison.Ordinal));
        }

        var life = Assert.Throws<PostriderException>(() => Transport.OpenSender(new SendTarget(destination) { TimeToLive = TimeSpan.MaxValue }));
        Assert.Contains("it must be at most 36500.00:00:00", life.Message, StringComparison.Ordinal);
        await sender.SendAsync(new MessageProperties { Delay = TimeSpan.MinValue, ExpiresAt = DateTimeOffset.MaxValue }, "now"u8.ToArray(), Ct);
        Assert.Equal("now", Text(await arrivals.NextAsync()));
    }

    [Fact]
    public async Task Table_of_the_contract_says_what_the_transport_cannot_do()
    {
        var clock = await Harness.OpenAsync(new TestClock());
        if (clock is not null)
            await clock.DisposeAsync();
        var credentials = Harness.OpenWithCredentials()?.Transport;
        if (credentials is not null)
            await credentials.DisposeAsync();
        bool Can(string what) => what switch
        {
            "Connection" => Harness.HasConnection,
            "Copies" => Harness.HasCopies,
            "Clock" => clock is not null,
            "Credentials" => credentials is not null,
            "DeadLetters" => Harness.ListsDeadLetters,
            "Store" => !Harness.SendersWait,
            _ => Has(Enum.Parse<TransportAbilities>(what)),
        };

        var opposites = ContractTable.Read().CellsOf(GetType()).Where(static cell => cell.Text.StartsWith("opposite (", StringComparison.Ordinal));

        Assert.DoesNotContain(opposites, cell => Can(cell.Text["opposite (".Length..^1]));
    }

    [Fact]
    public void Case_61_request_is_refused_by_a_transport_that_does_not_answer()
    {
        if (Has(TransportAbilities.Requests))
            return;

        var refused = Assert.Throws<PostriderException>(() => new RemoteHandler<string, string>(Transport, Serialization.TextSerializerProvider.Instance, "orders"));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains("does not support requests", refused.Message, StringComparison.Ordinal);
    }

    // Most transports do not tell the sender.
    private async Task SendToNobodyAsync(string destination)
    {
        if (!Harness.SendersWait)
        {
            await SendAsync(destination, "gone");
            return;
        }

        var error = await Assert.ThrowsAsync<PostriderException>(async () => await SendAsync(destination, "gone"));
        Assert.Equal(PostriderError.NoListener, error.Error);
        Assert.Contains($"'{destination}'", error.Message, StringComparison.Ordinal);
    }

    // The first byte is the number.
    private static byte[] Body(int number, int bytes)
    {
        var body = new byte[bytes];
        Array.Fill(body, (byte)number);
        return body;
    }
}
