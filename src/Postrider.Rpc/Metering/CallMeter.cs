using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Metering;

/// <summary>The instruments, and calls measured by them.</summary>
/// <remarks>Source: OpenTelemetry's conventions for metrics of RPC.</remarks>
internal static class CallMeter
{
    private static readonly Meter s_meter = new(RpcMetrics.MeterName);

    // The boundaries that the conventions advise, in seconds.
    private static readonly InstrumentAdvice<double> s_advice = new()
    {
        HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    };

    private static readonly Counter<long> s_events = s_meter.CreateCounter<long>("rpc.server.events", "{event}", "Calls of one-way operations, by how they ended.");

    public static Histogram<double> Client { get; } = s_meter.CreateHistogram("rpc.client.call.duration", "s", "How long calls take their callers.", null, s_advice);

    public static Histogram<double> Server { get; } = s_meter.CreateHistogram("rpc.server.call.duration", "s", "How long operations take.", null, s_advice);

    public static void CountEvent(string outcome)
    {
        if (s_events.Enabled)
            s_events.Add(1, new KeyValuePair<string, object?>("outcome", outcome));
    }

    /// <summary>Measures a call until its answer.</summary>
    public static async ValueTask<T> MeasureAsync<T>(Histogram<double> histogram, Operation operation, ValueTask<T> call, long began)
    {
        Exception? failure = null;
        try
        {
            return await call.ConfigureAwait(false);
        }
        catch (Exception thrown)
        {
            failure = thrown;
            throw;
        }
        finally
        {
            Record(histogram, operation, began, failure);
        }
    }

    /// <summary>Measures a call until its stream's end.</summary>
    public static async IAsyncEnumerable<T> MeasureAsync<T>(
        Histogram<double> histogram, Operation operation, IAsyncEnumerable<T> items, [EnumeratorCancellation] CancellationToken ct)
    {
        var began = Stopwatch.GetTimestamp();
        Exception? failure = null;
        var reading = items.GetAsyncEnumerator(ct);
        await using var ends = reading.ConfigureAwait(false);
        try
        {
            while (true)
            {
                try
                {
                    if (!await reading.MoveNextAsync().ConfigureAwait(false))
                        yield break;
                }
                catch (Exception thrown)
                {
                    failure = thrown;
                    throw;
                }

                yield return reading.Current;
            }
        }
        finally
        {
            Record(histogram, operation, began, failure);
        }
    }

    public static void Record(Histogram<double> histogram, Operation operation, long began, Exception? failure)
    {
        var status = CallEnding.Of(failure);
        var tags = new TagList { { "rpc.system.name", "postrider" }, { "rpc.method", operation.Path }, { "rpc.response.status_code", status.ToString() } };
        if (failure is not null)
            tags.Add("error.type", status.ToString());
        histogram.Record(Stopwatch.GetElapsedTime(began).TotalSeconds, tags);
    }
}
