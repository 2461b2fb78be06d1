using Postrider.Transport.RabbitMq;

namespace Postrider.UnitTests.Transport.RabbitMq;

public sealed class DelayQueuesTests
{
    [Theory]
    [InlineData(1, 10)]
    [InlineData(10, 10)]
    [InlineData(100, 100)]
    [InlineData(1_000, 1_000)]
    [InlineData(60_000, 56_234)]
    [InlineData(86_400_000, 82_540_419)]
    public void Delay_is_rounded_to_a_step(int asked, long expected) => Assert.Equal(expected, DelayQueues.Round(TimeSpan.FromMilliseconds(asked)));

    [Fact]
    public void Every_delay_of_a_tenth_of_a_second_or_more_is_within_a_tenth()
    {
        for (var asked = 100.0; asked < 1e9; asked *= 1.013)
            Assert.InRange(DelayQueues.Round(TimeSpan.FromMilliseconds(asked)) / asked, 0.9, 1.105);
    }

    [Fact]
    public void Name_that_would_be_too_long_has_the_hash_of_the_destination()
    {
        var (first, second) = (new RabbitMqAddress("", new string('a', 254) + 'b'), new RabbitMqAddress(new string('e', 255), new string('k', 255)));

        Assert.Equal("postrider.delay.100.orders", DelayQueues.Name(100, new RabbitMqAddress("", "orders")));
        Assert.All([DelayQueues.Name(100, first), DelayQueues.Name(100, second)], static name => Assert.Equal("postrider.delay.100.".Length + 64, name.Length));
        Assert.NotEqual(DelayQueues.Name(100, first), DelayQueues.Name(100, second));
    }
}
