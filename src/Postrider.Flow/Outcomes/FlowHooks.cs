using Postrider.Resilience;

namespace Postrider.Flow.Outcomes;

/// <summary>Calls into the caller's code at the turns of an item's life.</summary>
/// <remarks>
/// Called on the thread that works on the item, several at once. An item waits for its asynchronous hooks and keeps its slot
/// meanwhile; one of these that throws ends the operation with its exception. <see cref="OnThrottle"/> and <see cref="OnDrain"/>
/// only watch: what they throw goes to <see cref="Resilience.ObserverErrors"/> and changes nothing.
/// </remarks>
public record FlowHooks
{
    /// <summary>Before the first attempt of an item: its index.</summary>
    public Func<long, ValueTask>? OnStart { get; init; }

    /// <summary>After an item ended with a value: its index.</summary>
    public Func<long, ValueTask>? OnSuccess { get; init; }

    /// <summary>After an attempt failed and before the backoff: index, number of the failed attempt, exception, delay.</summary>
    public Func<long, int, Exception, TimeSpan, ValueTask>? OnRetry { get; init; }

    /// <summary>After an item failed for good; every exception passes here once. It returns whether to go on:
    /// true goes on as the error mode says; false, which is <c>default</c>, stops the operation with the exception.</summary>
    public Func<FlowFailure, ValueTask<bool>>? OnFailure { get; init; }

    /// <summary>When an item has to wait for the rate limit: its index and the wait.</summary>
    public Action<long, TimeSpan>? OnThrottle { get; init; }

    /// <summary>When nothing is in flight any more and the operation is about to end: items that ended.</summary>
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
