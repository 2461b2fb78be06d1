using Postrider.Transport.RabbitMq;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMq4LossTests(RabbitMq4Harness harness) : RabbitMqLossCases(harness), IClassFixture<RabbitMq4Harness>
{
    [Fact]
    public async Task Message_above_the_limit_of_the_server_fails_as_too_large()
    {
        await using var transport = new RabbitMqTransport(Harness.Options with { Poison = new() { MaxBodyBytes = 32 * 1024 * 1024 } });
        await transport.ApplyAsync(new RabbitMqBinding(Queue), Ct);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender(Queue).SendAsync(default, new byte[17 * 1024 * 1024], Ct));

        Assert.Equal(PostriderError.TooLarge, refused.Error);
        Assert.Contains("16777216", refused.Message, StringComparison.Ordinal);
    }
}
