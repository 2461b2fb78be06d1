using Postrider.Resilience;
namespace Postrider.UnitTests.Resilience;

public class PerKeyTests
{
    [Fact]
    public void Idle_gates_are_dropped_and_those_that_remember_are_kept()
    {
        var time = new TestClock();
        var limits = new PerKey<int, RateLimiter>(_ => new RateLimiter(1, burst: 2, time), capacity: 100);
        limits.For(-1).TryAcquire();

        for (var key = 0; key < 1_000; key++)
            limits.For(key);

        Assert.InRange(limits.Count, 1, 130);
        Assert.Equal(1, limits.For(-1).Available);
    }

    [Fact]
    public void Maker_that_gives_null_is_an_error_that_names_the_key()
        => Assert.Contains("key west", Assert.Throws<InvalidOperationException>(() => new PerKey<string, CircuitBreaker>(_ => null!).For("west")).Message);

    [Fact]
    public void One_key_has_one_gate()
    {
        var breakers = new PerKey<string, CircuitBreaker>(_ => new CircuitBreaker(), comparer: StringComparer.OrdinalIgnoreCase);

        Assert.Same(breakers.For("a"), breakers.For("A"));
    }
}
