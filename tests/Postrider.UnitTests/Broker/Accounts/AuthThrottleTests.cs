using System.Net;
using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class AuthThrottleTests
{
    private static readonly IPAddress One = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress Other = IPAddress.Parse("192.0.2.2");

    private readonly TestClock _clock = new();

    [Theory]
    [InlineData(0, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 100)]
    [InlineData(4, 200)]
    [InlineData(12, 1000)]
    [InlineData(13, 1000)]
    [InlineData(1000, 1000)]
    public void Attempts_wait_longer_with_each_failure_above_the_free_ones(int failures, int milliseconds)
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 2 });
        for (var i = 0; i < failures; i++) throttle.Failed(One);

        var isAllowed = throttle.TryBegin(One, out var delay);

        Assert.True(isAllowed);
        Assert.Equal(milliseconds, delay.TotalMilliseconds);
    }

    [Fact]
    public void Other_addresses_wait_for_nothing()
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 0 });
        for (var i = 0; i < 100; i++) throttle.Failed(One);

        var isAllowed = throttle.TryBegin(Other, out var delay);

        Assert.True(isAllowed);
        Assert.Equal(TimeSpan.Zero, delay);
    }

    [Theory]
    [InlineData(0, 1000)]
    [InlineData(55, 500)]
    [InlineData(59, 100)]
    [InlineData(60, 0)]
    public void Failures_are_forgiven_one_a_second_and_all_within_a_minute(int seconds, int milliseconds)
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 3 });
        for (var i = 0; i < 1000; i++) throttle.Failed(One);

        _clock.Advance(TimeSpan.FromSeconds(seconds));
        throttle.TryBegin(One, out var delay);

        Assert.Equal(milliseconds, delay.TotalMilliseconds);
    }

    [Fact]
    public async Task Many_attempts_at_once_are_refused_until_one_has_waited()
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 0, MaxWaiting = 2 });
        throttle.Failed(One);
        Assert.True(throttle.TryBegin(One, out var first));
        Assert.True(throttle.TryBegin(One, out var second));

        var third = throttle.TryBegin(One, out _);
        var waiting = throttle.WaitAsync(One, first).AsTask();
        _clock.Advance(first);
        await waiting;
        var fourth = throttle.TryBegin(One, out _);

        Assert.False(third);
        Assert.True(fourth);
        Assert.Equal(TimeSpan.FromMilliseconds(200), second);
    }

    [Fact]
    public void Ipv6_addresses_of_one_network_count_together()
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 0 });
        throttle.Failed(IPAddress.Parse("2001:db8:1:2::1"));

        throttle.TryBegin(IPAddress.Parse("2001:db8:1:2:ffff::9"), out var same);
        throttle.TryBegin(IPAddress.Parse("2001:db8:1:3::1"), out var other);

        Assert.Equal(TimeSpan.FromMilliseconds(100), same);
        Assert.Equal(TimeSpan.Zero, other);
    }

    [Fact]
    public void An_ipv4_address_is_the_same_however_it_is_written()
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 0 });
        throttle.Failed(One.MapToIPv6());

        throttle.TryBegin(One, out var delay);

        Assert.Equal(TimeSpan.FromMilliseconds(100), delay);
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.3.2.1")]
    [InlineData("::1")]
    [InlineData("::ffff:127.0.0.1")]
    public void Loopback_addresses_are_exempt(string address)
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 0 });

        throttle.Failed(IPAddress.Parse(address));

        Assert.Equal(0, throttle.Count);
    }

    [Fact]
    public void Only_so_many_addresses_are_remembered()
    {
        var throttle = Create(new AuthThrottleOptions { FreeFailures = 0 });

        for (var i = 0; i < AuthThrottle.MaxSources + 100; i++) throttle.Failed(new IPAddress([10, 0, (byte)(i >> 8), (byte)i]));

        Assert.Equal(AuthThrottle.MaxSources, throttle.Count);
        throttle.TryBegin(new IPAddress([10, 0, 0, 0]), out var oldest);
        throttle.TryBegin(new IPAddress([10, 0, (AuthThrottle.MaxSources + 99) >> 8, (AuthThrottle.MaxSources + 99) & 255]), out var newest);
        Assert.Equal((TimeSpan.Zero, TimeSpan.FromMilliseconds(100)), (oldest, newest));
    }

    [Fact]
    public void Addresses_that_are_forgiven_are_forgotten()
    {
        var throttle = Create(new AuthThrottleOptions());
        for (var i = 0; i < 20; i++) throttle.Failed(new IPAddress([10, 0, 0, (byte)i]));

        _clock.Advance(TimeSpan.FromSeconds(2));
        for (var i = 0; i < 20; i++) throttle.Failed(new IPAddress([10, 0, 1, (byte)i]));

        Assert.Equal(20, throttle.Count);
    }

    [Fact]
    public void Without_it_nothing_is_remembered()
    {
        var throttle = Create(new AuthThrottleOptions { Enabled = false, FreeFailures = 0 });

        throttle.Failed(One);

        Assert.Equal(0, throttle.Count);
        Assert.True(throttle.TryBegin(One, out var delay));
        Assert.Equal(TimeSpan.Zero, delay);
    }

    private AuthThrottle Create(AuthThrottleOptions options) => new(options, _clock);
}
