using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>Delays before the next attempt that a transport cannot keep.</summary>
public sealed class RetryDelayTests
{
    [Fact]
    public async Task Binding_with_a_delay_beyond_the_calendar_is_refused()
    {
        await using var transport = new InMemoryTransport();

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(With(new AtLeastOnceBinding("orders"), TimeSpan.MaxValue), static (_, _) => default, default));

        Assert.Equal("The binding of 'orders' is not valid: Retry.MaxDelay is 10675199.02:48:05.4775807 and must be at most 36500.00:00:00.", refused.Message);
    }

    [Fact]
    public async Task Binding_with_a_delay_beyond_the_queues_of_RabbitMQ_is_refused_before_it_connects()
    {
        await using var transport = new RabbitMqTransport(new RabbitMqOptions { Server = new Uri("amqp://127.0.0.1:1/") });

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(With(new RabbitMqBinding("orders"), TimeSpan.FromDays(21)), static (_, _) => default, default));

        Assert.EndsWith("Retry.MaxDelay is 21.00:00:00, and RabbitMQ keeps a message back for at most 20.00:00:00.", refused.Message, StringComparison.Ordinal);
    }

    private static T With<T>(T binding, TimeSpan maxDelay)
        where T : AtLeastOnceBinding
        => binding with { Retry = AtLeastOnceBinding.DefaultRetry with { MaxDelay = maxDelay } };
}
