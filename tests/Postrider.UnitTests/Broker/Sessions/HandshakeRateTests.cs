using Postrider.Broker.Sessions;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class HandshakeRateTests
{
    private readonly TestClock _clock = new();

    [Fact]
    public void So_many_a_second_may_begin_and_the_refused_are_told_later()
    {
        var rate = new HandshakeRate(3, _clock);

        var first = Enumerable.Range(0, 6).Select(_ => rate.TryBegin(out var _)).ToArray();
        _clock.Advance(TimeSpan.FromSeconds(1.1));
        var next = rate.TryBegin(out var refusedBefore);

        Assert.Equal([true, true, true, false, false, false], first);
        Assert.True(next);
        Assert.Equal(3, refusedBefore);
    }

    [Fact]
    public void Without_a_limit_all_may_begin()
    {
        var rate = new HandshakeRate(0, _clock);

        Assert.All(Enumerable.Range(0, 100), _ => Assert.True(rate.TryBegin(out var _)));
    }
}
