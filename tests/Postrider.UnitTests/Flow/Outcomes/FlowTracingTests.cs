using System.Diagnostics;
using Postrider.Flow;
using Postrider.Flow.Outcomes;

namespace Postrider.UnitTests.Flow.Outcomes;

public sealed class FlowTracingTests : IDisposable
{
    private readonly string _name = $"import {Guid.NewGuid()}";
    private readonly List<Activity> _ended = [];
    private readonly ActivityListener _listener;
    private readonly Lock _gate = new(); // guards _ended
    private readonly Activity _caller = new("caller");

    public FlowTracingTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == FlowTracing.SourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = activity =>
            {
                // Other tests run at the same time.
                if (!activity.OperationName.StartsWith(_name, StringComparison.Ordinal))
                    return;
                lock (_gate)
                    _ended.Add(activity);
            },
        };
        ActivitySource.AddActivityListener(_listener);
        _caller.Start();
    }

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _caller.Dispose();
        _listener.Dispose();
    }

    [Fact]
    public async Task Operation_is_an_activity_around_its_bodies_with_the_counts_of_its_items()
    {
        using var meter = new FlowMeter(_name);
        var seen = new Activity?[8];
        var running = Enumerable.Range(0, 8).SelectParallelAsync(
            async (item, _) =>
            {
                await Task.Yield();
                seen[item] = Activity.Current;
                return item;
            },
            new FlowOptions { Meter = meter, MaxConcurrency = 3 },
            Ct);
        Assert.Same(_caller, Activity.Current);

        await running;

        var span = Assert.Single(_ended);
        Assert.Same(_caller, Activity.Current);
        Assert.Equal((_name, _caller.SpanId), (span.OperationName, span.ParentSpanId));
        Assert.All(seen, activity => Assert.Same(span, activity));
        Assert.Equal(
            [("flow.items.started", 8L), ("flow.items.completed", 8L), ("flow.items.failed", 0L), ("flow.retries", 0L), ("flow.throttled", 0L)],
            span.TagObjects.Select(static tag => (tag.Key, (long)tag.Value!)));
        Assert.Equal(ActivityStatusCode.Unset, span.Status);
    }

    [Fact]
    public async Task Failure_of_the_operation_is_that_of_its_activity()
    {
        using var meter = new FlowMeter(_name);

        await Assert.ThrowsAsync<FormatException>(() => Enumerable.Range(0, 3).SelectParallelAsync<int, int>(
            static (_, _) => throw new FormatException("No number."), new FlowOptions { Meter = meter, MaxConcurrency = 1 }, Ct));

        var span = Assert.Single(_ended);
        Assert.Equal((ActivityStatusCode.Error, "No number.", "System.FormatException"), (span.Status, span.StatusDescription, span.GetTagItem("error.type")));
        Assert.Equal((1L, 1L), (span.GetTagItem("flow.items.started"), span.GetTagItem("flow.items.failed")));
    }

    [Fact]
    public async Task Stage_runs_within_the_one_that_reads_it_and_ends_when_it_is_left()
    {
        using var first = new FlowMeter(_name + " 1");
        using var second = new FlowMeter(_name + " 2");
        var stages = Enumerable.Range(0, 1000)
            .SelectParallelStreamAsync(static (item, _) => new ValueTask<int>(item), new FlowOptions { Meter = first, MaxConcurrency = 1 }, Ct)
            .SelectParallelStreamAsync(static (item, _) => new ValueTask<int>(item), new FlowOptions { Meter = second, MaxConcurrency = 1 }, Ct);

        await foreach (var item in stages)
        {
            Assert.Same(_caller, Activity.Current);
            if (item == 3)
                break;
        }

        await Eventually.HoldsAsync(() =>
        {
            lock (_gate)
                return _ended.Count == 2;
        });
        var (inner, outer) = (_ended.Single(span => span.OperationName.EndsWith('1')), _ended.Single(span => span.OperationName.EndsWith('2')));
        Assert.Equal((outer.SpanId, _caller.SpanId), (inner.ParentSpanId, outer.ParentSpanId));
    }

    [Fact]
    public async Task Operation_without_a_meter_has_no_activity()
    {
        Activity? seen = null;

        await Enumerable.Range(0, 1).SelectParallelAsync(
            (item, _) =>
            {
                seen = Activity.Current;
                return new ValueTask<int>(item);
            },
            new FlowOptions(),
            Ct);

        Assert.Same(_caller, seen);
    }
}
