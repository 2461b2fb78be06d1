using Microsoft.Extensions.Logging;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>A server that cannot be reached.</summary>
public sealed class RabbitMqAwayTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Send_fails_as_unavailable_and_each_attempt_is_one_line()
    {
        using var log = new LogRecorder(LogLevel.Information);
        using var loggers = LoggerFactory.Create(builder => builder.AddProvider(log));
        await using var transport = new RabbitMqTransport(new RabbitMqOptions { Server = new Uri("amqp://127.0.0.1:1/"), Retry = new() { SendAttempts = 2, MaxPause = TimeSpan.FromMilliseconds(10) } }, loggers);

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("parcels").SendAsync(default, default, Ct));

        Assert.Equal((PostriderError.Unavailable, "Message to 'parcels': RabbitMQ at 127.0.0.1:1/ cannot be reached: Connection refused."), (failure.Error, failure.Message));
        Assert.Equal([("A publish to 'parcels' was not confirmed (attempt 1) and will be repeated. RabbitMQ at 127.0.0.1:1/ cannot be reached: Connection refused.", null)], log.Entries.Select(static entry => (entry.Text, entry.Exception)));
    }
}
