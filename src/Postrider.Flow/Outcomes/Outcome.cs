using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;

namespace Postrider.Flow.Outcomes;

/// <summary>How one item ended: its value or its exception, and what it took.</summary>
/// <typeparam name="TResult">The body's result.</typeparam>
/// <param name="Index">The item's place in the source, from 0.</param>
/// <param name="Reason">How it ended.</param>
/// <param name="Value">The value; meaningful when <see cref="HasValue"/>.</param>
/// <param name="Exception">What the last attempt ended with; null when it succeeded. A fallback keeps it.</param>
/// <param name="Attempts">Attempts made; 0 when the item was not started.</param>
/// <param name="Duration">From the start of the first attempt to the end of the last, backoff included.</param>
public readonly record struct Outcome<TResult>(
    long Index,
    OutcomeReason Reason,
    TResult? Value,
    Exception? Exception,
    int Attempts,
    TimeSpan Duration)
{
    /// <summary>True when there is a value.</summary>
    [MemberNotNullWhen(true, nameof(Value))]
    public bool HasValue => Reason is OutcomeReason.Succeeded or OutcomeReason.FellBack;

    /// <summary>The value, or the item's exception thrown.</summary>
    /// <exception cref="InvalidOperationException">The item was not started.</exception>
    public TResult GetValueOrThrow()
    {
        if (HasValue)
            return Value;
        if (Exception is not null)
            ExceptionDispatchInfo.Throw(Exception);
        throw new InvalidOperationException($"Item {Index} has no value: {Reason}.");
    }
}
