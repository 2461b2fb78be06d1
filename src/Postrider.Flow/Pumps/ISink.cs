using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>The destination of results, as a struct, so that delivery is compiled into the pump's loop. Thread-safe.</summary>
/// <typeparam name="TResult">The body's result.</typeparam>
internal interface ISink<TResult>
{
    /// <summary>True if every item is reported as an <see cref="Outcome{TResult}"/> and items throw nothing.</summary>
    static abstract bool WantsOutcomes { get; }

    /// <summary>The first index that may not be claimed yet.</summary>
    long Horizon { get; }

    /// <summary>Whether a reader has results to take.</summary>
    bool HasResults { get; }

    /// <summary>An item has a value.</summary>
    void Succeed(long index, TResult value);

    /// <summary>Records an item that ended without a value, or with one if outcomes are wanted.</summary>
    void Settle(in Outcome<TResult> outcome);

    /// <summary>Called when the pump interrupts delivery: wakes a waiting reader.</summary>
    void Flush();

    /// <summary>Completes the run. Called once; the run is not used afterwards.</summary>
    void Complete(in RunEnd end);
}
