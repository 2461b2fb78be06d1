using Postrider.Resilience;

namespace Postrider.UnitTests.Resilience;

public sealed class ConcurrencyLimitTests
{
    [Fact]
    public void Raised_is_raised_when_the_limit_grows_and_only_then()
    {
        var limit = new ConcurrencyLimit(4);
        List<int> seen = [];
        limit.Raised += () => seen.Add(limit.Value);

        foreach (var value in new[] { 2, 2, 3, 1, 8 })
            limit.Value = value;

        Assert.Equal([3, 8], seen);
    }

    [Fact]
    public void Limit_made_from_a_number_is_fixed()
    {
        ConcurrencyLimit limit = 4;

        Assert.True(limit.IsFixed);
        Assert.Throws<InvalidOperationException>(() => limit.Value = 5);
        Assert.False(new ConcurrencyLimit(4).IsFixed);
    }
}
