using System.Diagnostics;
using System.Diagnostics.Metrics;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Interception;

/// <summary>Measures the duration of calls.</summary>
/// <remarks>Source: OpenTelemetry's conventions for metrics of RPC.</remarks>
internal sealed class MetricsObserver : CallObserver<long>
{
    private static readonly Meter s_meter = new(RpcMetrics.MeterName);

    // The boundaries that the conventions advise, in seconds.
    private static readonly InstrumentAdvice<double> s_advice = new()
    {
        HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    };

    private static readonly Counter<long> s_events = s_meter.CreateCounter<long>("rpc.server.events", "{event}", "Completed one-way calls, by outcome.");

    private readonly Histogram<double> _durations;

    private MetricsObserver(string name, string description) => _durations = s_meter.CreateHistogram(name, "s", description, null, s_advice);

    public static MetricsObserver Client { get; } = new("rpc.client.call.duration", "Duration of calls as measured by the client.");

    public static MetricsObserver Server { get; } = new("rpc.server.call.duration", "Duration of calls as measured by the server.");

    public override bool IsOn => _durations.Enabled;

    public static void CountEvent(string outcome)
    {
        if (s_events.Enabled)
            s_events.Add(1, new KeyValuePair<string, object?>("outcome", outcome));
    }

    public override long Begin(Operation operation, ref CallContext? context, ref CancellationToken ct) => Stopwatch.GetTimestamp();

    public override void End(Operation operation, long call, Exception? failure, bool isLeft)
    {
        var status = CallOutcome.StatusFor(failure);
        var tags = new TagList { { "rpc.system.name", "postrider" }, { "rpc.method", operation.Path }, { "rpc.response.status_code", status.ToString() } };
        if (failure is not null)
            tags.Add("error.type", status.ToString());
        _durations.Record(Stopwatch.GetElapsedTime(call).TotalSeconds, tags);
    }
}
