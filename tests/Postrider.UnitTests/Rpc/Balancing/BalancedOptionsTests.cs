using Postrider.Resilience;
using Postrider.Rpc.Balancing;

namespace Postrider.UnitTests.Rpc.Balancing;

public sealed class BalancedOptionsTests
{
    public static TheoryData<BalancedOptions, string> EveryMistake => new()
    {
        { new() { Retry = new RetryPolicy { MaxAttempts = 0 } }, "MaxAttempts is 0" },
        { new() { Hedge = new Hedge { MaxAttempts = 1 } }, "MaxAttempts is 1" },
        { new() { Health = new CircuitBreakerOptions { Probes = 0 } }, "Probes is 0" },
        { new() { Health = null! }, "BalancedOptions.Health" },
        { new() { Random = null! }, "BalancedOptions.Random" },
        { new() { TimeProvider = null! }, "BalancedOptions.TimeProvider" },
    };

    [Theory]
    [MemberData(nameof(EveryMistake))]
    public void Mistake_is_named(BalancedOptions options, string part)
        => Assert.Contains(part, Assert.ThrowsAny<ArgumentException>(options.Validate).Message);

    [Fact]
    public void Defaults_are_valid()
        => Assert.Null(Record.Exception(new BalancedOptions().Validate));
}
