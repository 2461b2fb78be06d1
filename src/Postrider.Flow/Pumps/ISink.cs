using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Where results go, as a struct, so that delivery is compiled into the pump's loop. Thread-safe.</summary>
/// <typeparam name="TResult">The body's result.</typeparam>
internal interface ISink<TResult>
{
    /// <summary>True when every item is reported as an <see cref="Outcome{TResult}"/> and nothing is thrown for items.</summary>
    static abstract bool WantsOutcomes { get; }

    /// <summary>No item with this index or a higher one may be claimed yet.</summary>
    long Horizon { get; }

    /// <summary>A reader has something to take.</summary>
    bool HasResults { get; }

    /// <summary>An item has a value.</summary>
    void Succeed(long index, TResult value);

    /// <summary>An item ended without a value, or with one when outcomes are wanted.</summary>
    void Settle(in Outcome<TResult> outcome);

    /// <summary>Results were delivered and the pump does something else now: wakes a reader that waits.</summary>
    void Flush();

    /// <summary>The run is over. Called once; the run is not touched afterwards.</summary>
    void Complete(in RunEnd end);
}
