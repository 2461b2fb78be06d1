using System.Collections.Concurrent;
using System.Text;
using Postrider.Envelopes;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;
using RabbitMQ.Client;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>What must not be lost, and what must go on.</summary>
public abstract class RabbitMqLossCases(RabbitMqHarness harness)
{
    private readonly string _queue = TransportHarness.NewName();

    protected CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token;

    protected RabbitMqHarness Harness => harness;

    protected string Queue => _queue;

    // While it is short of memory or disk, the server reads nothing from a connection that publishes.
    [Fact]
    public async Task Acknowledgements_do_not_share_the_connection_of_publishes()
    {
        await using var relay = new TcpRelay(harness.Options.Server.Port);
        await using var transport = new RabbitMqTransport(harness.Options with { Server = new Uri($"amqp://guest:guest@127.0.0.1:{relay.Port}/") });
        var arrived = new TaskCompletionSource();

        await using var listener = await transport.ListenAsync(
            new RabbitMqBinding(_queue),
            (_, _) =>
            {
                arrived.SetResult();
                return default;
            },
            Ct);
        var listening = relay.Accepted;
        await transport.SendAsync(Message("x"), Ct);
        await arrived.Task.WaitAsync(Ct);

        Assert.Equal((1, 2), (listening, relay.Accepted));
    }

    // RabbitMQ 4 drops a message that was delivered twenty times.
    [Fact]
    public async Task Dead_letters_are_not_lost_by_lists_that_end_early()
    {
        await harness.RabbitMq.ApplyAsync(new RabbitMqBinding(_queue), Ct);
        await harness.RabbitMq.SendAsync(Message("kept"), Ct);
        var letters = harness.RabbitMq.OpenDeadLetters(_queue);
        var found = 0;

        for (var i = 0; i < 25; i++)
        {
            await Eventually.HoldsAsync(async () =>
            {
                await foreach (var _ in letters.ListAsync(DeadLetterQuery.All, Ct))
                    return true;
                return false;
            });
            found++;
        }

        Assert.Equal(25, found);
        Assert.Equal(1, await letters.PurgeAsync(DeadLetterQuery.All, Ct));
    }

    [Fact]
    public async Task Dead_letter_may_be_larger_than_what_is_sent()
    {
        var binding = new RabbitMqBinding(_queue) { DeadLetter = $"{_queue}-dead", Retry = TransportHarness.Quick with { MaxAttempts = 1 } };
        await using var listener = await harness.RabbitMq.ListenAsync(binding, static (_, _) => throw new InvalidOperationException("no"), Ct);
        await using var channel = await harness.OpenChannelAsync();

        await channel.BasicPublishAsync("", _queue, mandatory: true, new BasicProperties(), new byte[harness.Options.Poison.MaxBodyBytes + 1], Ct);
        var letter = await Eventually.GivesAsync(async () => await channel.BasicGetAsync($"{_queue}-dead", autoAck: true, Ct));

        Assert.Equal(harness.Options.Poison.MaxBodyBytes + 1, letter.Body.Length);
    }

    [Fact]
    public async Task Queue_with_the_longest_name_attempts_its_messages_again_after_their_delay()
    {
        var name = _queue.PadRight(255, 'n');
        var counts = new ConcurrentQueue<long>();
        await using var listener = await harness.RabbitMq.ListenAsync(
            new RabbitMqBinding(name) { Retry = TransportHarness.Quick },
            (envelope, _) =>
            {
                counts.Enqueue(envelope.Delivery!.Count);
                throw new InvalidOperationException("no");
            },
            Ct);

        await harness.RabbitMq.OpenSender(new SendTarget(name) { Delay = TimeSpan.FromMilliseconds(10) }).SendAsync(new() { Delay = TimeSpan.FromMilliseconds(10) }, default, Ct);
        await Eventually.HoldsAsync(() => counts.Count == 3);

        Assert.Equal([1L, 2L, 3L], counts);
    }

    private Envelope Message(string body) => new() { Destination = _queue, Body = Encoding.UTF8.GetBytes(body) };
}
