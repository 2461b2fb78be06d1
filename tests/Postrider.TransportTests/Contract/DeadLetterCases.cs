using System.Text;
using Postrider.Envelopes;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 54 to 59: dead letters that are looked at, sent back and removed.</summary>
public abstract class DeadLetterCases(TransportHarness harness) : RequestCases(harness)
{
    [Fact]
    public async Task Case_54_dead_letters_are_listed_by_filter_and_page_and_stay()
    {
        var (destination, letters) = await FailAsync("a", "b", "unreadable", "c", "d");

        var all = await ListAsync(letters, DeadLetterQuery.All);
        var unreadable = await ListAsync(letters, new() { Reason = DeadLetterReason.Unreadable });
        var elsewhere = await ListAsync(letters, new() { Origin = "elsewhere" });
        var first = await ListAsync(letters, new() { Max = 2 });
        var second = await ListAsync(letters, new() { Max = 2, After = first[^1].Id });
        var third = await ListAsync(letters, new() { Max = 2, After = second[^1].Id });
        var one = await ListAsync(letters, new() { Id = all.Single(static letter => Text(letter) == "c").Id });

        string[] expected = Harness.ListsDeadLettersInOrder ? ["a", "b", "unreadable", "c", "d"] : ["a", "b", "c", "d", "unreadable"];
        Assert.Equal(expected, all.Select(Text));
        Assert.Equal(["unreadable"], unreadable.Select(Text));
        Assert.Empty(elsewhere);
        Assert.Equal(expected, first.Concat(second).Concat(third).Select(Text));
        Assert.Equal(["c"], one.Select(Text));
        Assert.All(all, letter => Assert.Equal((Harness.Binding(destination).Source, letters.Source), (letter.Origin, letter.Source)));
        Assert.Equal(5, all.Select(static letter => letter.Id).Distinct(StringComparer.Ordinal).Count());
    }

    [Fact]
    public async Task Case_55_dead_letter_shows_its_body_and_headers_and_the_failure()
    {
        var (destination, letters) = await FailAsync("body");

        var letter = Assert.Single(await ListAsync(letters, DeadLetterQuery.All));

        Assert.Equal(("body", $"{destination}-body", "blue"), (Text(letter), letter.Headers[HeaderNames.MessageId], letter.Headers["Colour"]));
        Assert.Equal((DeadLetterReason.Final, Harness.Binding(destination).Source, 1L, "no such article"), (letter.Reason, letter.Origin, letter.Deliveries, letter.Error));
    }

    [Fact]
    public async Task Case_56_redriven_message_is_back_as_a_first_attempt_that_leads_to_its_dead_letter()
    {
        var (destination, letters) = await FailAsync("stay", "back", "also");
        var back = (await ListAsync(letters, DeadLetterQuery.All)).Single(static letter => Text(letter) == "back");
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });

        var one = await letters.RedriveAsync(new() { Id = back.Id }, Ct);
        var arrived = await arrivals.NextAsync();

        Assert.Equal((1L, "back", 1L), (one, Text(arrived), arrived.Delivery!.Count));
        Assert.Equal(($"{destination}-back", "blue", $"{letters.Source}/{back.Id}"), (arrived.Headers[HeaderNames.MessageId], arrived.Headers["Colour"], arrived.Headers[DeadLetterHeaders.Redriven]));
        Assert.Null(arrived.Headers[DeadLetterHeaders.Reason]);
        Assert.Null(arrived.Headers[HeaderNames.Error]);
        await LeftAsync(letters, "also", "stay");

        Assert.Equal(0, await letters.RedriveAsync(new() { Reason = DeadLetterReason.Exhausted }, Ct));
        Assert.Equal(2, await letters.RedriveAsync(new() { Reason = DeadLetterReason.Final, Pace = TimeSpan.FromMilliseconds(10) }, Ct));
        Assert.Equal(["also", "stay"], (await arrivals.TakeAsync(2)).Select(Text).Order(StringComparer.Ordinal));
        await LeftAsync(letters);
    }

    [Fact]
    public async Task Case_56_redriven_message_that_fails_again_is_a_dead_letter_of_its_own_with_all_attempts()
    {
        var (destination, letters) = await FailAsync("again");
        var before = Assert.Single(await ListAsync(letters, DeadLetterQuery.All));
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { DeadLetter = letters.Source }, static _ => throw new InvalidOperationException("still"));

        Assert.Equal(1, await letters.RedriveAsync(DeadLetterQuery.All, Ct));
        await arrivals.TakeAsync(3);
        var after = await Eventually.GivesAsync(async () => (await ListAsync(letters, DeadLetterQuery.All)).SingleOrDefault());

        Assert.Equal((DeadLetterReason.Exhausted, 3L, "still", "again"), (after.Reason, after.Deliveries, after.Error, Text(after)));
        Assert.NotEqual(before.Reason, after.Reason);
    }

    [Fact]
    public async Task Case_56_dead_letter_whose_destination_is_gone_stays_and_the_others_are_sent_back()
    {
        var (gone, letters) = await FailAsync("a");
        var (other, otherLetters) = Harness.SharesDeadLetters ? await FailAsync(letters, "b") : await FailAsync("b");
        await using var arrivals = await ListenAsync(Harness.Binding(other));
        if (!Harness.SharesDeadLetters)
        {
            Assert.Equal((1L, "b"), (await otherLetters.RedriveAsync(DeadLetterQuery.All, Ct), Text(await arrivals.NextAsync())));
            return;
        }

        await Harness.DeleteAsync(gone);
        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await letters.RedriveAsync(DeadLetterQuery.All, Ct));

        Assert.Equal(PostriderError.NoListener, failure.Error);
        Assert.StartsWith($"Not all dead letters of '{letters.Source}' could be sent back (sent back: 1, left: 1). The first that is left is ", failure.Message, StringComparison.Ordinal);
        Assert.Equal("b", Text(await arrivals.NextAsync()));
        await LeftAsync(letters, "a");
    }

    [Fact]
    public async Task Case_57_second_redrive_sends_nothing()
    {
        var (destination, letters) = await FailAsync("once");
        await using var arrivals = await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 });

        var (first, second) = (await letters.RedriveAsync(DeadLetterQuery.All, Ct), await letters.RedriveAsync(DeadLetterQuery.All, Ct));
        await SendAsync(destination, "next");

        Assert.Equal((1L, 0L), (first, second));
        Assert.Equal(["once", "next"], (await arrivals.TakeAsync(2)).Select(Text));
    }

    [Fact]
    public async Task Case_58_purge_removes_what_is_chosen_and_no_more()
    {
        var (_, letters) = await FailAsync("a", "unreadable", "b");

        Assert.Equal(1, await letters.PurgeAsync(new() { Reason = DeadLetterReason.Unreadable }, Ct));
        await LeftAsync(letters, "a", "b");
        Assert.Equal(2, await letters.PurgeAsync(DeadLetterQuery.All, Ct));
        await LeftAsync(letters);
    }

    [Fact]
    public async Task Case_59_dead_letters_outlive_the_process_where_messages_do()
    {
        var (_, letters) = await FailAsync("kept");
        await using var later = await Harness.OpenAsync();

        if (!Has(TransportAbilities.Durability))
        {
            Assert.Empty(await ListAsync(later.OpenDeadLetters(letters.Source), DeadLetterQuery.All));
            return;
        }

        Harness.Cut();
        // A question that was under way when the connection was cut has no answer.
        var kept = await Eventually.GivesAsync(async () =>
        {
            try
            {
                return (await ListAsync(later.OpenDeadLetters(letters.Source), DeadLetterQuery.All)).SingleOrDefault();
            }
            catch (Exception cut) when (!Ct.IsCancellationRequested && cut is not PostriderException)
            {
                return null;
            }
        });
        Assert.Equal("kept", Text(kept));
    }

    [Fact]
    public async Task Dead_letters_that_nothing_keeps_are_an_error_or_none()
    {
        var nowhere = TransportHarness.NewName();
        if (!Has(TransportAbilities.Durability))
        {
            Assert.Empty(await ListAsync(Transport.OpenDeadLetters(nowhere), DeadLetterQuery.All));
            return;
        }

        var missing = await Assert.ThrowsAsync<PostriderException>(async () => await ListAsync(Transport.OpenDeadLetters(nowhere), DeadLetterQuery.All));

        Assert.Equal(PostriderError.NoListener, missing.Error);
        Assert.Contains($"'{nowhere}'", missing.Message, StringComparison.Ordinal);
    }

    private static string Text(DeadLetterMessage letter) => Encoding.UTF8.GetString(letter.Body.Span);

    private async Task<List<DeadLetterMessage>> ListAsync(IDeadLetters letters, DeadLetterQuery query)
    {
        var all = new List<DeadLetterMessage>();
        await foreach (var letter in letters.ListAsync(query, Ct))
            all.Add(letter);
        return all;
    }

    private Task LeftAsync(IDeadLetters letters, params string[] expected)
        => Eventually.HoldsAsync(async () => (await ListAsync(letters, DeadLetterQuery.All)).Select(Text).Order(StringComparer.Ordinal).SequenceEqual(expected));

    private async Task<(string Destination, IDeadLetters Letters)> FailAsync(params string[] bodies)
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        var letters = Transport.OpenDeadLetters(dead);
        await FailAsync(destination, letters, bodies);
        return (destination, letters);
    }

    private async Task<(string Destination, IDeadLetters Letters)> FailAsync(IDeadLetters letters, params string[] bodies)
    {
        var destination = await NewDestinationAsync();
        await FailAsync(destination, letters, bodies);
        return (destination, letters);
    }

    // One after the other, so that their order is known.
    private async Task FailAsync(string destination, IDeadLetters letters, string[] bodies)
    {
        var before = (await ListAsync(letters, DeadLetterQuery.All)).Count;
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { MaxConcurrency = 1, DeadLetter = letters.Source },
            static envelope =>
            {
                if (Text(envelope) != "unreadable")
                    throw new PostriderException(PostriderError.Refused, "no such article");
                envelope.Delivery!.Fail(new FormatException("no message"), isUnreadable: true);
                return Task.CompletedTask;
            });
        foreach (var body in bodies)
            await Transport.SendAsync(Message(destination, body, new Headers { { HeaderNames.MessageId, $"{destination}-{body}" }, { "Colour", "blue" } }), Ct);
        await Eventually.HoldsAsync(async () => (await ListAsync(letters, DeadLetterQuery.All)).Count == before + bodies.Length);
    }
}
