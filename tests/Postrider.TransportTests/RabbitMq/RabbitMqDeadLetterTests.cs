using System.Text;
using System.Threading.Channels;
using Postrider.Envelopes;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>Cases 54 to 57: dead letters that are looked at and sent back.</summary>
public sealed class RabbitMqDeadLetterTests(RabbitMqHarness harness) : IClassFixture<RabbitMqHarness>
{
    private readonly string _queue = TransportHarness.NewName();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    private string Dead => $"{_queue}-dead";

    [Fact]
    public async Task Case_54_dead_letters_are_listed_with_bodies_and_headers_and_stay()
    {
        await FailAsync("one", "two");
        var letters = harness.RabbitMq.OpenDeadLetters(Dead);

        var first = await ListAsync(letters);
        var again = await Eventually.GivesAsync(async () => await ListAsync(letters) is { Count: 2 } all ? all : null);

        Assert.Equal(["one", "two"], first.Select(Text).Order(StringComparer.Ordinal));
        Assert.All(again, letter => Assert.Equal(("Final", _queue), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[DeadLetterHeaders.Stream])));
    }

    [Fact]
    public async Task Case_56_redriven_message_is_back_at_its_queue_as_a_first_attempt_without_the_failure()
    {
        await FailAsync("back", "stay");
        var letters = harness.RabbitMq.OpenDeadLetters(Dead);

        var count = await letters.RedriveAsync(static letter => Text(letter) == "back", ct: Ct);

        var arrived = Channel.CreateUnbounded<(string Text, long Count, Headers Headers)>();
        await using var listener = await harness.RabbitMq.ListenAsync(
            new RabbitMqBinding(_queue),
            (envelope, _) =>
            {
                arrived.Writer.TryWrite((Text(envelope), envelope.Delivery!.Count, envelope.Headers));
                return default;
            },
            Ct);
        var (text, attempt, headers) = await arrived.Reader.ReadAsync(Ct);
        Assert.Equal((1, "back", 1L), (count, text, attempt));
        Assert.Null(headers[DeadLetterHeaders.Reason]);
        Assert.Null(headers[HeaderNames.Error]);
        Assert.Equal("stay", Text(Assert.Single(await Eventually.GivesAsync(async () => await ListAsync(letters) is { Count: 1 } all ? all : null))));
    }

    [Fact]
    public async Task Case_57_second_redrive_finds_nothing()
    {
        await FailAsync("once");
        var letters = harness.RabbitMq.OpenDeadLetters(Dead);

        var (first, second) = (await letters.RedriveAsync(ct: Ct), await letters.RedriveAsync(ct: Ct));

        Assert.Equal((1, 0), (first, second));
    }

    private static string Text(Envelope envelope) => Encoding.UTF8.GetString(envelope.Body.Span);

    private static async Task<List<Envelope>> ListAsync(RabbitMqDeadLetters letters)
    {
        var all = new List<Envelope>();
        await foreach (var letter in letters.ListAsync(ct: Ct))
            all.Add(letter);
        return all;
    }

    private async Task FailAsync(params string[] bodies)
    {
        var binding = new RabbitMqBinding(_queue) { DeadLetter = Dead };
        await using var listener = await harness.RabbitMq.ListenAsync(binding, static (_, _) => throw new PostriderException(PostriderError.Refused, "no"), Ct);
        foreach (var body in bodies)
            await harness.RabbitMq.SendAsync(new Envelope { Destination = _queue, Body = Encoding.UTF8.GetBytes(body) }, Ct);
        var letters = harness.RabbitMq.OpenDeadLetters(Dead);
        await Eventually.HoldsAsync(async () => (await ListAsync(letters)).Count == bodies.Length);
        await using var channel = await harness.OpenChannelAsync();
        await Eventually.HoldsAsync(async () => await channel.MessageCountAsync(Dead, Ct) == bodies.Length);
    }
}
