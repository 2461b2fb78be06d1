using System.Text;
using Postrider.Envelopes;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>What must not be lost, and what must go on.</summary>
public abstract class RabbitMqLossCases(RabbitMqHarness harness)
{
    private readonly string _queue = TransportHarness.NewName();

    protected CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token;

    protected RabbitMqHarness Harness => harness;

    protected string Queue => _queue;

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

    private Envelope Message(string body) => new() { Destination = _queue, Body = Encoding.UTF8.GetBytes(body) };
}
