using System.Runtime.CompilerServices;
using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>No results, only the end.</summary>
internal readonly struct ForEachSink(AsyncTaskMethodBuilder task) : ISink<Nothing>
{
    private readonly AsyncTaskMethodBuilder _task = task;

    public static bool WantsOutcomes => false;

    public long Horizon => long.MaxValue;

    public bool HasResults => false;

    public void Succeed(long index, Nothing value)
    {
    }

    public void Settle(in Outcome<Nothing> outcome)
    {
    }

    public void Flush()
    {
    }

    public void Complete(in RunEnd end)
    {
        var builder = _task;
        if (end.Failure is not null)
            builder.SetException(end.Failure);
        else if (end.Failures is not null)
            builder.SetException(new FlowFailuresException(FailureOrder.Sort(end.Failures)));
        else
            builder.SetResult();
    }
}
