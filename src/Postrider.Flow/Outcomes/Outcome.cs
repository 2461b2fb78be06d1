using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;

namespace Postrider.Flow.Outcomes;

/// <summary>The outcome of one item: its value or its exception, its attempts and its duration.</summary>
/// <typeparam name="TResult">The body's result.</typeparam>
/// <param name="Index">The item's index in the source, from 0.</param>
/// <param name="Reason">How the item ended.</param>
/// <param name="Value">The value; meaningful when <see cref="HasValue"/>.</param>
/// <param name="Exception">The exception of the last attempt; null if it succeeded. A fallback keeps it.</param>
/// <param name="Attempts">Attempts made; 0 if the item was not started.</param>
/// <param name="Duration">Time from the start of the first attempt to the end of the last, including backoff.</param>
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

    /// <summary>Returns the value, or throws the item's exception.</summary>
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
