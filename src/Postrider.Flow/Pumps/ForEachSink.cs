using System.Runtime.CompilerServices;
using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Stores no results, only the end of the run.</summary>
internal readonly struct ForEachSink(AsyncTaskMethodBuilder task) : ISink<NoResult>
{
    private readonly AsyncTaskMethodBuilder _task = task;

    public static bool WantsOutcomes => false;

    public long Horizon => long.MaxValue;

    public bool HasResults => false;

    public void Succeed(long index, NoResult value)
    {
    }

    public void Settle(in Outcome<NoResult> outcome)
    {
    }

    public void Flush()
    {
    }

    public void Complete(in RunEnd end)
    {
        var builder = _task;
        if (end.ToThrow() is { } failure)
            builder.SetException(failure);
        else
            builder.SetResult();
    }
}
