using Postrider.Resilience;
namespace Postrider.UnitTests.Resilience;

public class CircuitBreakerTests
{
    private readonly TestClock _time = new();
    private readonly List<string> _changes = [];

    private CircuitBreakerOptions Options => new()
    {
        FailureThreshold = 3,
        OpenTime = TimeSpan.FromSeconds(10),
        SuccessThreshold = 2,
        Probes = 2,
        TimeProvider = _time,
        OnStateChange = (before, after) => _changes.Add($"{before}-{after}"),
    };

    [Fact]
    public void Failures_in_a_row_open_it_and_a_success_between_does_not()
    {
        var breaker = new CircuitBreaker(Options);

        Fail(breaker, 2);
        Succeed(breaker, 1);
        Fail(breaker, 2);
        var before = breaker.State;
        Fail(breaker, 1);

        Assert.Equal((CircuitBreakerState.Closed, CircuitBreakerState.Open), (before, breaker.State));
        Assert.Equal(["Closed-Open"], _changes);
    }

    [Fact]
    public void Open_breaker_refuses_until_its_time_is_over_and_says_how_long()
    {
        var breaker = Opened();

        _time.Advance(TimeSpan.FromSeconds(4));

        Assert.False(breaker.TryEnter(out _));
        Assert.Equal(TimeSpan.FromSeconds(6), breaker.Refusal().RetryAfter);
    }

    [Fact]
    public void Half_open_breaker_asks_for_patience_while_its_probes_are_out()
    {
        var breaker = Opened();
        _time.Advance(TimeSpan.FromSeconds(10));

        breaker.TryEnter(out _);
        var withOneOut = breaker.Refusal().RetryAfter;
        breaker.TryEnter(out _);

        Assert.Equal((TimeSpan.Zero, TimeSpan.FromSeconds(1)), (withOneOut, breaker.Refusal().RetryAfter));
    }

    [Fact]
    public void Negative_time_of_a_slow_call_is_refused()
        => Assert.Contains("SlowCall is -00:00:01", Assert.Throws<ArgumentException>(() => new CircuitBreaker(Options with { SlowCall = TimeSpan.FromSeconds(-1) })).Message);

    [Fact]
    public void Half_open_breaker_lets_its_probes_pass_and_no_more()
    {
        var breaker = Opened();
        _time.Advance(TimeSpan.FromSeconds(10));

        var passed = Enumerable.Range(0, 5).Count(_ => breaker.TryEnter(out CircuitBreakerTicket _));

        Assert.Equal((2, CircuitBreakerState.HalfOpen), (passed, breaker.State));
    }

    [Fact]
    public void Probes_that_succeed_close_it()
    {
        var breaker = Opened();
        _time.Advance(TimeSpan.FromSeconds(10));

        Succeed(breaker, 2);

        Assert.Equal(["Closed-Open", "Open-HalfOpen", "HalfOpen-Closed"], _changes);
    }

    [Fact]
    public void Probe_that_fails_opens_it_again()
    {
        var breaker = Opened();
        _time.Advance(TimeSpan.FromSeconds(10));

        Fail(breaker, 1);

        Assert.Equal(CircuitBreakerState.Open, breaker.State);
        Assert.False(breaker.TryEnter(out _));
    }

    [Fact]
    public void Abandoned_probe_gives_its_place_back()
    {
        var breaker = Opened();
        _time.Advance(TimeSpan.FromSeconds(10));
        breaker.TryEnter(out var first);
        breaker.TryEnter(out _);

        breaker.OnAbandoned(first);

        Assert.True(breaker.TryEnter(out _));
    }

    [Fact]
    public void Call_of_an_earlier_state_counts_for_nothing()
    {
        var breaker = new CircuitBreaker(Options);
        breaker.TryEnter(out var early);
        Fail(breaker, 3);
        _time.Advance(TimeSpan.FromSeconds(10));
        breaker.TryEnter(out _);

        breaker.OnFailure(early, new FormatException());
        breaker.OnSuccess(early);

        Assert.Equal(CircuitBreakerState.HalfOpen, breaker.State);
    }

    [Theory]
    [InlineData(10, 9, CircuitBreakerState.Closed)]
    [InlineData(10, 10, CircuitBreakerState.Open)]
    public void Ratio_over_the_window_opens_it(int successes, int failures, CircuitBreakerState expected)
    {
        var breaker = new CircuitBreaker(Options with { FailureThreshold = 0, FailureRatio = 0.5, MinimumCalls = 20 });

        Succeed(breaker, successes);
        Fail(breaker, failures);

        Assert.Equal(expected, breaker.State);
    }

    [Fact]
    public void Calls_leave_the_window_with_time()
    {
        var breaker = new CircuitBreaker(Options with { FailureThreshold = 0, FailureRatio = 0.5, MinimumCalls = 10, Window = TimeSpan.FromSeconds(10) });
        Fail(breaker, 9);
        _time.Advance(TimeSpan.FromSeconds(20));

        Fail(breaker, 9);

        Assert.Equal(CircuitBreakerState.Closed, breaker.State);
    }

    [Fact]
    public void Slow_calls_open_it()
    {
        var breaker = new CircuitBreaker(Options with { FailureThreshold = 0, SlowCall = TimeSpan.FromSeconds(1), SlowCallRatio = 0.5, MinimumCalls = 4 });

        for (var i = 0; i < 4; i++)
        {
            breaker.TryEnter(out var ticket);
            breaker.OnSuccess(ticket, TimeSpan.FromSeconds(i));
        }

        Assert.Equal(CircuitBreakerState.Open, breaker.State);
    }

    [Fact]
    public void Exceptions_that_are_not_handled_count_as_success()
    {
        var breaker = new CircuitBreaker(Options with { Handle = exception => exception is TimeoutException });

        Fail(breaker, 10);

        Assert.Equal(CircuitBreakerState.Closed, breaker.State);
    }

    [Fact]
    public void Isolated_breaker_stays_shut_until_it_is_reset()
    {
        var breaker = new CircuitBreaker(Options);
        breaker.Isolate();
        _time.Advance(TimeSpan.FromDays(1));

        var refused = !breaker.TryEnter(out _);
        breaker.Reset();

        Assert.True(refused);
        Assert.True(breaker.TryEnter(out _));
    }

    [Fact]
    public void Options_without_a_rule_are_refused()
        => Assert.Contains("no rule", Assert.Throws<ArgumentException>(() => new CircuitBreaker(new() { FailureThreshold = 0 })).Message);

    private CircuitBreaker Opened()
    {
        var breaker = new CircuitBreaker(Options);
        Fail(breaker, 3);
        return breaker;
    }

    [Fact]
    public void Changes_made_while_one_is_told_are_told_after_it()
    {
        CircuitBreaker? breaker = null;
        breaker = new CircuitBreaker(Options with
        {
            OnStateChange = (before, after) =>
            {
                if (after == CircuitBreakerState.Open)
                    breaker!.Reset();
                _changes.Add($"{before}-{after}");
            },
        });

        Fail(breaker, 3);

        Assert.Equal(["Closed-Open", "Open-Closed"], _changes);
    }

    [Fact]
    public void Callback_that_throws_fails_nobody_and_does_not_hold_up_the_changes_after_it()
    {
        var breaker = new CircuitBreaker(Options with
        {
            OnStateChange = (before, after) =>
            {
                _changes.Add($"{before}-{after}");
                if (after == CircuitBreakerState.Isolated)
                    throw new FormatException();
            },
        });

        breaker.Isolate();
        breaker.Reset();

        Assert.Equal(["Closed-Isolated", "Isolated-Closed"], _changes);
    }

    private static void Fail(CircuitBreaker breaker, int times)
    {
        for (var i = 0; i < times; i++)
        {
            Assert.True(breaker.TryEnter(out var ticket));
            breaker.OnFailure(ticket, new FormatException());
        }
    }

    private static void Succeed(CircuitBreaker breaker, int times)
    {
        for (var i = 0; i < times; i++)
        {
            Assert.True(breaker.TryEnter(out var ticket));
            breaker.OnSuccess(ticket);
        }
    }

    [Fact]
    public void Probe_whose_failure_cannot_be_judged_gives_its_place_back()
    {
        var judging = false;
        var breaker = new CircuitBreaker(Options with { Probes = 1, Handle = _ => judging ? throw new FormatException() : true });
        Fail(breaker, 3);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(breaker.TryEnter(out var ticket));

        judging = true;
        Assert.Throws<FormatException>(() => breaker.OnFailure(ticket, new InvalidOperationException()));

        Assert.True(breaker.TryEnter(out var next));
        Assert.True(next.IsProbe);
    }
}
