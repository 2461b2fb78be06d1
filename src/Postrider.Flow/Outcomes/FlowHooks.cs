using Postrider.Resilience;

namespace Postrider.Flow.Outcomes;

/// <summary>Callbacks at the stages of an item's life.</summary>
/// <remarks>
/// Called on the thread that processes the item, several concurrently. An item waits for its asynchronous hooks and keeps its slot while
/// it waits; a hook that throws ends the operation with its exception. <see cref="OnThrottle"/> and <see cref="OnDrain"/>
/// only observe: their exceptions go to <see cref="Resilience.ObserverErrors"/> and change nothing.
/// </remarks>
public record FlowHooks
{
    /// <summary>Called before the first attempt of an item: its index.</summary>
    public Func<long, ValueTask>? OnStart { get; init; }

    /// <summary>Called after an item has completed with a value: its index.</summary>
    public Func<long, ValueTask>? OnSuccess { get; init; }

    /// <summary>Called after an attempt has failed and before the backoff: index, number of the failed attempt, exception, delay.</summary>
    public Func<long, int, Exception, TimeSpan, ValueTask>? OnRetry { get; init; }

    /// <summary>Called after an item has finally failed; every exception is passed here once. The result says whether to continue: true
    /// continues according to the error mode; false, which is <c>default</c>, stops the operation with the exception.</summary>
    public Func<FlowFailure, ValueTask<bool>>? OnFailure { get; init; }

    /// <summary>Called when an item has to wait for the rate limit: its index and the wait.</summary>
    public Action<long, TimeSpan>? OnThrottle { get; init; }

    /// <summary>Called when nothing is in flight any more and the operation is about to end: the number of items that ended.</summary>
    public Action<long>? OnDrain { get; init; }

    internal void NotifyThrottled(long index, TimeSpan delay)
    {
        try
        {
            OnThrottle?.Invoke(index, delay);
        }
        catch (Exception thrown)
        {
            ObserverErrors.Report("FlowHooks.OnThrottle", thrown);
        }
    }

    internal void NotifyDrained(long ended)
    {
        try
        {
            OnDrain?.Invoke(ended);
        }
        catch (Exception thrown)
        {
            ObserverErrors.Report("FlowHooks.OnDrain", thrown);
        }
    }
}
