using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Every item's story to the reader of a stream.</summary>
internal readonly struct OutcomeStreamSink<TResult>(StreamBuffer<Outcome<TResult>> buffer) : ISink<TResult>
{
    public static bool WantsOutcomes => true;

    public long Horizon => buffer.Horizon;

    public bool HasResults => buffer.HasResults;

    public void Succeed(long index, TResult value) => throw new NotSupportedException("Outcomes are settled.");

    public void Settle(in Outcome<TResult> outcome) => buffer.Add(outcome.Index, outcome);

    public void Flush() => buffer.Flush();

    public void Complete(in RunEnd end) => buffer.Complete(end.Failure ?? end.SourceFailure);
}
