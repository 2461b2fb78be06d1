using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>How a run ended, for its sink.</summary>
/// <param name="Failure">What to throw whatever else there is, or null.</param>
/// <param name="Failures">Collected failures, unordered; null when there are none.</param>
/// <param name="Taken">Items taken from the source.</param>
/// <param name="Total">Number of items in the source when it is known.</param>
/// <param name="SourceFailure">What the source threw when everything taken from it has been finished, or null.</param>
internal readonly record struct RunEnd(Exception? Failure, List<FlowFailure>? Failures, long Taken, long? Total, Exception? SourceFailure)
{
    /// <summary>What an operator throws that keeps no results, or null: the source's own exception when no item failed.</summary>
    public Exception? ToThrow()
        => Failure ?? (Failures is null ? SourceFailure : new FlowFailuresException(FailureOrder.Sort(Failures), SourceFailure));

    /// <summary>True when the results are thrown with the failures.</summary>
    public bool HasFailures => Failures is not null || SourceFailure is not null;

    /// <summary>What an operator throws that has results to tell.</summary>
    public Exception ToThrowWith<TResult>(IReadOnlyList<KeyValuePair<long, TResult>> results)
        => new FlowFailuresException<TResult>(Failures is null ? [] : FailureOrder.Sort(Failures), results, SourceFailure);
}
