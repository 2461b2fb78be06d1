using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>How a run ended, for its sink.</summary>
/// <param name="Failure">The exception to throw in any case, or null.</param>
/// <param name="Failures">Collected failures, unordered; null if there are none.</param>
/// <param name="Taken">Items taken from the source.</param>
/// <param name="Total">Number of items in the source when it is known.</param>
/// <param name="SourceFailure">The exception of the source, thrown after everything taken from it has been finished, or null.</param>
internal readonly record struct RunEnd(Exception? Failure, List<FlowFailure>? Failures, long Taken, long? Total, Exception? SourceFailure)
{
    /// <summary>The exception of an operator without results, or null: the source's own exception if no item failed.</summary>
    public Exception? ToThrow()
        => Failure ?? (Failures is null ? SourceFailure : new FlowFailuresException(FailureOrder.Sort(Failures), SourceFailure));

    /// <summary>True when the results are thrown with the failures.</summary>
    public bool HasFailures => Failures is not null || SourceFailure is not null;

    /// <summary>The exception of an operator with results.</summary>
    public Exception ToThrowWith<TResult>(IReadOnlyList<KeyValuePair<long, TResult>> results)
        => new FlowFailuresException<TResult>(Failures is null ? [] : FailureOrder.Sort(Failures), results, SourceFailure);
}
