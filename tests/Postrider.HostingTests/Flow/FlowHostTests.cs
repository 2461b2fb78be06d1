using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using Postrider.Flow;
using Postrider.Flow.Hosting;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.HostingTests.Flow;

public sealed class FlowHostTests
{
    private static readonly List<int> s_one = [1];

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public void Gates_of_a_name_are_one_object_for_all_that_take_them()
    {
        using var host = Build(
            "Bulkheads:stock:Capacity=3", "RateLimiters:stock:Permits=10", "RateLimiters:stock:Per=1m", "CircuitBreakers:stock:FailureThreshold=2",
            "Retries:stock:MaxAttempts=4", "Retries:stock:Backoff=Constant", "Retries:stock:BaseDelay=5s", "Retries:stock:Budget:Ratio=0.5", "Operations:import:MaxConcurrency=7", "Operations:import:Bulkhead=stock",
            "Operations:import:RateLimit=stock", "Operations:import:CircuitBreaker=stock", "Operations:import:Retry=stock", "Operations:import:Errors=Collect",
            "Operations:export:CircuitBreaker=stock");
        var (import, export) = (host.Services.GetRequiredKeyedService<FlowOptions>("import"), host.Services.GetRequiredKeyedService<FlowOptions>("export"));

        Assert.Equal((7, ErrorMode.Collect), (import.MaxConcurrency.Value, import.Errors));
        Assert.Equal(3, import.Bulkhead!.Capacity);
        Assert.Same(host.Services.GetRequiredKeyedService<Bulkhead>("stock"), import.Bulkhead);
        Assert.Same(host.Services.GetRequiredKeyedService<RateLimiter>("stock"), import.RateLimit);
        Assert.Same(host.Services.GetRequiredKeyedService<CircuitBreaker>("stock"), import.CircuitBreaker);
        Assert.Same(import.CircuitBreaker, export.CircuitBreaker);
        Assert.Equal((4, Backoff.Constant, TimeSpan.FromSeconds(5), 0.5), (import.Retry!.MaxAttempts, import.Retry.Backoff, import.Retry.BaseDelay, import.Retry.Budget!.Ratio));
        Assert.Equal(("import", "export"), (import.Meter!.Operation, export.Meter!.Operation));
        Assert.Null(export.Bulkhead);
    }

    [Fact]
    public void Names_of_gates_are_compared_without_case_as_keys_are()
    {
        using var host = Build("Bulkheads:stock:Capacity=3", "Operations:import:Bulkhead=Stock");

        Assert.Same(host.Services.GetRequiredKeyedService<Bulkhead>("stock"), host.Services.GetRequiredKeyedService<FlowOptions>("import").Bulkhead);
    }

    [Fact]
    public async Task Open_breaker_of_one_operation_stops_the_other_until_the_clock_says_so()
    {
        var clock = new FakeTimeProvider();
        using var host = Build(clock, "CircuitBreakers:stock:FailureThreshold=1", "CircuitBreakers:stock:OpenTime=30s", "Operations:import:CircuitBreaker=stock", "Operations:export:CircuitBreaker=stock");
        var (import, export) = (host.Services.GetRequiredKeyedService<FlowOptions>("import"), host.Services.GetRequiredKeyedService<FlowOptions>("export"));

        await Assert.ThrowsAsync<InvalidOperationException>(() => s_one.SelectParallelAsync<int, int>((_, _) => throw new InvalidOperationException("down"), import, Ct));
        await Assert.ThrowsAsync<CircuitBreakerOpenException>(() => s_one.SelectParallelAsync((item, _) => new ValueTask<int>(item), export, Ct));
        clock.Advance(TimeSpan.FromSeconds(31));

        Assert.Equal(s_one, await s_one.SelectParallelAsync((item, _) => new ValueTask<int>(item), export, Ct));
    }

    [Fact]
    public async Task Meter_shows_which_stage_waits_for_which()
    {
        using var host = Build("Operations:slow:MaxConcurrency=1", "Operations:slow:Window=1", "Operations:quick:MaxConcurrency=1", "Operations:quick:Window=1");
        var release = new TaskCompletionSource();
        var (quick, slow) = (host.Services.GetRequiredKeyedService<FlowOptions>("quick"), host.Services.GetRequiredKeyedService<FlowOptions>("slow"));
        var running = FlowPipeline.Of<int>()
            .Select((item, _) => new ValueTask<int>(item), quick)
            .Select(
                async (item, _) =>
                {
                    await release.Task;
                    return item;
                },
                slow)
            .RunAsync(Enumerable.Range(0, 100), Ct)
            .CountAsync(Ct).AsTask();

        await Eventually.HoldsAsync(() => quick.Meter!.Count(FlowState.Blocked) == 1 && slow.Meter!.Count(FlowState.Busy) == 1);
        Assert.Equal((0, 1), (States("quick")["busy"], States("quick")["blocked"]));
        release.SetResult();

        Assert.Equal(100, await running);
        Assert.All(Enum.GetValues<FlowState>(), state => Assert.Equal(0, quick.Meter!.Count(state) + slow.Meter!.Count(state)));
    }

    [Fact]
    public async Task Meter_shows_a_stage_that_waits_for_its_source()
    {
        using var host = Build("Operations:import:MaxConcurrency=4");
        var more = new TaskCompletionSource();
        var options = host.Services.GetRequiredKeyedService<FlowOptions>("import");
        var running = Items().SelectParallelAsync((item, _) => new ValueTask<int>(item), options, Ct);

        await Eventually.HoldsAsync(() => options.Meter!.Count(FlowState.Starved) == 1);
        more.SetResult();

        Assert.Equal(new List<int> { 1, 2 }, (await running).Order());

        async IAsyncEnumerable<int> Items()
        {
            yield return 1;
            await more.Task;
            yield return 2;
        }
    }

    private static Dictionary<string, int> States(string operation)
    {
        var states = new Dictionary<string, int>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == FlowMeter.MeterName && instrument.Name == "flow.operations")
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<int>((_, value, tags, _) =>
        {
            if ((string?)tags[0].Value == operation)
                states[(string)tags[1].Value!] = states.GetValueOrDefault((string)tags[1].Value!) + value;
        });
        listener.Start();
        listener.RecordObservableInstruments();
        return states;
    }

    private static IHost Build(params string[] keys) => Build(null, keys);

    private static IHost Build(TimeProvider? clock, params string[] keys)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(keys.Select(static key => key.Split('=')).Select(static pair => KeyValuePair.Create($"Postrider:Flow:{pair[0]}", (string?)pair[1])));
        if (clock is not null)
            builder.Services.AddSingleton(clock);
        builder.AddPostriderFlow();
        return builder.Build();
    }
}
