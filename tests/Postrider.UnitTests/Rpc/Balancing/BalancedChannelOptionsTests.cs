using Postrider.Resilience;
using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Balancing;

public sealed class BalancedChannelOptionsTests
{
    public static TheoryData<BalancedChannelOptions, string> EveryMistake => new()
    {
        { new() { Retry = new RetryPolicy { MaxAttempts = 0 } }, "MaxAttempts is 0" },
        { new() { Hedge = new Hedge { MaxAttempts = 1 } }, "MaxAttempts is 1" },
        { new() { Health = new CircuitBreakerOptions { Probes = 0 } }, "Probes is 0" },
        { new() { Health = null! }, "BalancedChannelOptions.Health" },
        { new() { Random = null! }, "BalancedChannelOptions.Random" },
        { new() { TimeProvider = null! }, "BalancedChannelOptions.TimeProvider" },
    };

    [Theory]
    [MemberData(nameof(EveryMistake))]
    public void Mistake_is_named(BalancedChannelOptions options, string part)
        => Assert.Contains(part, Assert.ThrowsAny<ArgumentException>(options.Validate).Message);

    [Fact]
    public void Defaults_are_valid()
        => Assert.Null(Record.Exception(new BalancedChannelOptions().Validate));
}
