using Postrider.Transport.RabbitMq;
using Postrider.TransportTests.Harness;
using RabbitMQ.Client;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMqLossTests(RabbitMqHarness harness) : RabbitMqLossCases(harness), IClassFixture<RabbitMqHarness>
{
    // A client that rejects it closes the connection, and gets it first with the next one. This server accepts 128 MiB.
    [Fact]
    public async Task Message_of_70_MiB_is_handled_and_does_not_hold_up_the_queue()
    {
        var sizes = new List<int>();
        var both = new TaskCompletionSource();
        await Harness.RabbitMq.ApplyAsync(new RabbitMqBinding(Queue), Ct);
        await using var channel = await Harness.OpenChannelAsync();
        await channel.BasicPublishAsync("", Queue, mandatory: true, new BasicProperties(), new byte[70 * 1024 * 1024], Ct);
        await channel.BasicPublishAsync("", Queue, mandatory: true, new BasicProperties(), new byte[1], Ct);

        await using var listener = await Harness.RabbitMq.ListenAsync(
            new RabbitMqBinding(Queue),
            (envelope, _) =>
            {
                sizes.Add(envelope.Body.Length);
                if (sizes.Count == 2)
                    both.SetResult();
                return default;
            },
            Ct);
        await both.Task.WaitAsync(Ct);

        Assert.Equal([70 * 1024 * 1024, 1], sizes);
    }
}
