using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>How a run ended, for its sink.</summary>
/// <param name="Failure">What to throw, or null.</param>
/// <param name="Failures">Collected failures, unordered; null when there are none.</param>
/// <param name="Taken">Items taken from the source.</param>
/// <param name="Total">Items in the source when that is known.</param>
internal readonly record struct RunEnd(Exception? Failure, List<FlowFailure>? Failures, long Taken, long? Total);
