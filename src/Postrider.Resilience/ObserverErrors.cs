using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Postrider.Resilience;

/// <summary>Receives the exceptions of callbacks that only observe: they do not fail the observed operation.</summary>
/// <remarks>
/// The callbacks are <see cref="CircuitBreakerOptions.OnStateChange"/>, <see cref="AdaptiveLimitOptions.OnChange"/>, <c>FlowHooks.OnThrottle</c>,
/// <c>FlowHooks.OnDrain</c> and <c>FlowOptions.Progress</c>. Each exception is counted by <c>resilience.observer.errors</c> of the meter
/// "Postrider.Resilience",
/// tagged with the observer, and given to <see cref="Thrown"/>; without a subscriber it is written to <see cref="Trace"/>. Thread-safe.
/// </remarks>
public static class ObserverErrors
{
    /// <summary>The meter's name, for AddMeter and listeners.</summary>
    public const string MeterName = "Postrider.Resilience";

    private static readonly Counter<long> s_errors = new Meter(MeterName).CreateCounter<long>(
        "resilience.observer.errors", "{exception}", "Exceptions thrown by observers.");

    /// <summary>Raised on the thread of the callback. An exception of a subscriber is written to <see cref="Trace"/>.</summary>
    public static event Action<ObserverError>? Thrown;

    /// <summary>Reports the exception of a callback.</summary>
    /// <param name="observer">Name of the callback's option: <c>FlowHooks.OnDrain</c>.</param>
    /// <param name="exception">Its exception.</param>
    public static void Report(string observer, Exception exception)
    {
        s_errors.Add(1, new KeyValuePair<string, object?>("observer", observer));
        var error = new ObserverError(observer, exception);
        if (Thrown is not { } thrown)
        {
            Trace.TraceError($"{observer} threw: {exception}");
            return;
        }

        foreach (var subscriber in Delegate.EnumerateInvocationList(thrown))
        {
            try
            {
                subscriber(error);
            }
            catch (Exception second)
            {
                Trace.TraceError($"{observer} threw: {exception}{Environment.NewLine}ObserverErrors.Thrown threw: {second}");
            }
        }
    }
}
