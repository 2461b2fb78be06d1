using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Results to the reader of a stream.</summary>
internal readonly struct StreamSink<TResult>(StreamBuffer<TResult> buffer) : ISink<TResult>
{
    public static bool WantsOutcomes => false;

    public long Horizon => buffer.Horizon;

    public bool HasResults => buffer.HasResults;

    public void Succeed(long index, TResult value) => buffer.Add(index, value);

    public void Settle(in Outcome<TResult> outcome) => buffer.AddGap(outcome.Index);

    public void Flush() => buffer.Flush();

    public void Complete(in RunEnd end) => buffer.Complete(end.ToThrow());
}
