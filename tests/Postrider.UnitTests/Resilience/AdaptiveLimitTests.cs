using Postrider.Flow;
using Postrider.Resilience;
using Postrider.UnitTests.Flow;
namespace Postrider.UnitTests.Resilience;

/// <summary>The adaptive limit against services simulated in virtual time.</summary>
public class AdaptiveLimitTests
{
    private const int Items = 3_000;

    private readonly TestClock _time = new();

    public static TheoryData<AdaptiveAlgorithm> EveryAlgorithm => [.. Enum.GetValues<AdaptiveAlgorithm>()];

    public static MatrixTheoryData<AdaptiveAlgorithm, double> EveryAlgorithmAndShare => new(
        Enum.GetValues<AdaptiveAlgorithm>(), [0.06, 0.1, 0.3, 0.7]);

    [Theory]
    [MemberData(nameof(EveryAlgorithm))]
    public async Task Target_that_no_limit_can_meet_does_not_collapse_it(AdaptiveAlgorithm algorithm)
    {
        var limit = Limit(new() { Algorithm = algorithm, TargetLatency = TimeSpan.FromMilliseconds(2) });

        var elapsed = await RunAsync(limit, slots: int.MaxValue);

        // A fixed limit of 8, where the search starts, takes 1.5 s; Rivulet's fell to 1 and took 15 times that.
        Assert.InRange(elapsed.TotalSeconds, 0, 2.2);
        Assert.InRange(limit.Value, 4, 64);
    }

    [Theory]
    [InlineData(AdaptiveAlgorithm.Vegas, 1.2)]
    [InlineData(AdaptiveAlgorithm.Gradient2, 1.2)]
    public async Task Service_of_16_slots_is_filled_and_not_flooded(AdaptiveAlgorithm algorithm, double most)
    {
        var limit = Limit(new() { Algorithm = algorithm });

        var elapsed = await RunAsync(limit, slots: 16);

        var best = TimeSpan.FromMilliseconds(4.0 * Items / 16);
        Assert.InRange(elapsed / best, 1, most);
        Assert.InRange(limit.Value, 12, 40);
    }

    [Fact]
    public async Task Free_service_gets_the_largest_limit_quickly()
    {
        var limit = Limit(new());

        var elapsed = await RunAsync(limit, slots: int.MaxValue);

        Assert.InRange(elapsed / TimeSpan.FromMilliseconds(4.0 * Items / 64), 1, 1.5);
        Assert.Equal(64, limit.Value);
    }

    [Theory]
    [InlineData(AdaptiveAlgorithm.Vegas)]
    [InlineData(AdaptiveAlgorithm.Aimd)]
    [InlineData(AdaptiveAlgorithm.Gradient2)]
    public void Limit_that_failures_have_cut_grows_again(AdaptiveAlgorithm algorithm)
    {
        var limit = Limit(new() { Algorithm = algorithm });
        Feed(limit, windows: 30, succeeded: false, milliseconds: 4);
        var cut = limit.Value;

        Feed(limit, windows: 100, succeeded: true, milliseconds: 4);

        Assert.Equal(1, cut);
        Assert.InRange(limit.Value, 16, 64);
    }

    [Theory]
    [InlineData(AdaptiveAlgorithm.Vegas)]
    [InlineData(AdaptiveAlgorithm.Aimd)]
    [InlineData(AdaptiveAlgorithm.Gradient2)]
    public void Clock_that_says_zero_does_not_end_the_search(AdaptiveAlgorithm algorithm)
    {
        var limit = Limit(new() { Algorithm = algorithm });
        Feed(limit, windows: 50, succeeded: true, milliseconds: 0);
        var atZero = limit.Value;

        // Longer than the unloaded latency is remembered.
        Feed(limit, windows: 400, succeeded: true, milliseconds: 4);

        Assert.InRange(atZero, 8, 64);
        Assert.InRange(limit.Value, 8, 64);
    }

    [Theory]
    [MemberData(nameof(EveryAlgorithm))]
    public async Task Every_tenth_that_fails_whatever_the_load_costs_no_concurrency(AdaptiveAlgorithm algorithm)
    {
        var limit = Limit(new() { Algorithm = algorithm });

        var elapsed = await RunAsync(limit, slots: int.MaxValue, fails: static item => item % 10 == 0);

        // A fixed limit of 8, where the search starts, takes 1.5 s.
        Assert.InRange(elapsed.TotalSeconds, 0, 1.2);
        Assert.InRange(limit.Value, 8, 64);
    }

    [Theory]
    [MemberData(nameof(EveryAlgorithmAndShare))]
    public async Task Random_failures_whatever_the_load_cost_no_concurrency(AdaptiveAlgorithm algorithm, double share)
    {
        var limit = Limit(new() { Algorithm = algorithm });
        var random = new Random(5);

        var elapsed = await RunAsync(limit, slots: int.MaxValue, fails: _ => random.NextDouble() < share);

        Assert.InRange(elapsed.TotalSeconds, 0, 1.2);
    }

    [Theory]
    [MemberData(nameof(EveryAlgorithm))]
    public async Task Service_that_refuses_what_is_too_much_for_it_is_not_flooded(AdaptiveAlgorithm algorithm)
    {
        var limit = Limit(new() { Algorithm = algorithm });

        await RunAsync(limit, slots: 16, refuses: true);

        Assert.InRange(limit.Value, 8, 24);
    }

    [Theory]
    [MemberData(nameof(EveryAlgorithm))]
    public void Failures_that_were_excused_do_not_excuse_an_outage(AdaptiveAlgorithm algorithm)
    {
        var limit = Limit(new() { Algorithm = algorithm });
        FeedLoad(limit, calls: 3_000, failuresInTen: 1);
        var excused = limit.Value;

        FeedLoad(limit, calls: 1_500, failuresInTen: 10);

        Assert.InRange(excused, 8, 64);
        Assert.Equal(1, limit.Value);
    }

    [Fact]
    public async Task Failures_that_are_not_handled_are_answers()
    {
        var limit = Limit(new() { Handle = static failure => failure is not FormatException });

        await RunAsync(limit, slots: int.MaxValue, fails: static _ => true);

        Assert.Equal(64, limit.Value);
    }

    [Fact]
    public void Failures_cut_the_limit_and_success_brings_it_back()
    {
        var limit = Limit(new() { InitialConcurrency = 40, MinimumSamples = 10 });

        Feed(limit, windows: 5, succeeded: false);
        var cut = limit.Value;
        Feed(limit, windows: 60, succeeded: true);

        Assert.InRange(cut, 1, 15);
        Assert.InRange(limit.Value, 30, 64);
    }

    [Fact]
    public void Latency_that_has_risen_for_good_does_not_hold_the_limit_at_its_least()
    {
        var limit = Limit(new() { InitialConcurrency = 16, MinimumSamples = 10 });

        Feed(limit, windows: 50, succeeded: true, milliseconds: 2);
        Feed(limit, windows: 500, succeeded: true, milliseconds: 20);

        Assert.InRange(limit.Value, 16, 64);
    }

    private void Feed(AdaptiveLimit limit, int windows, bool succeeded, int milliseconds = 4)
    {
        for (var window = 0; window < windows; window++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(20));
            for (var i = 0; i < 10; i++)
                limit.Record(TimeSpan.FromMilliseconds(milliseconds), succeeded, limit.Value);
        }
    }

    // Calls of 4 ms, as many at once as the limit lets through: a smaller one costs throughput.
    private void FeedLoad(AdaptiveLimit limit, int calls, int failuresInTen)
    {
        for (var call = 0; call < calls; call++)
        {
            var inFlight = limit.Value;
            _time.Advance(TimeSpan.FromMilliseconds(4) / inFlight);
            limit.Record(TimeSpan.FromMilliseconds(4), succeeded: call % 10 >= failuresInTen, inFlight);
        }
    }

    private AdaptiveLimit Limit(AdaptiveLimitOptions options) => new(options with { TimeProvider = _time });

    private async Task<TimeSpan> RunAsync(AdaptiveLimit limit, int slots, Func<int, bool>? fails = null, bool refuses = false)
    {
        var free = slots;
        var waiting = new Queue<TaskCompletionSource>();
        var begun = _time.GetTimestamp();
        var task = Enumerable.Range(0, Items).ToArray().ForEachParallelAsync(CallAsync, new FlowOptions
        {
            Adaptive = limit,
            MaxThreads = 1,
            TimeProvider = _time,
            Errors = fails is null && !refuses ? ErrorMode.Stop : ErrorMode.Skip,
        });
        VirtualRun.Drive(task, _time, "");
        await task;
        return _time.GetElapsedTime(begun);

        async ValueTask CallAsync(int item, CancellationToken ct)
        {
            if (free == 0 && refuses)
            {
                await _time.DelayAsync(1, ct);
                throw new FormatException();
            }
            if (free == 0)
            {
                var turn = new TaskCompletionSource();
                waiting.Enqueue(turn);
                await turn.Task;
            }
            else
            {
                free--;
            }
            await _time.DelayAsync(4, ct);
            if (waiting.TryDequeue(out var next))
                next.SetResult();
            else
                free++;
            if (fails is not null && fails(item))
                throw new FormatException();
        }
    }
}
