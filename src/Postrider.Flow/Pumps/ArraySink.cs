// Hot path: Pump -> this. Allocations: the result.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Stores results by index in one array if the number of items is known: ordering costs nothing.</summary>
internal readonly struct ArraySink<TResult> : ISink<TResult>
{
    private readonly AsyncTaskMethodBuilder<TResult[]> _task;
    private readonly TResult[] _results;
    private readonly bool[]? _has;

    /// <summary>Creates the array.</summary>
    /// <param name="task">Completed with it.</param>
    /// <param name="count">Items in the source.</param>
    /// <param name="mayLeaveGaps">Whether items may fail without ending the operation, or not be started.</param>
    public ArraySink(AsyncTaskMethodBuilder<TResult[]> task, int count, bool mayLeaveGaps)
    {
        _task = task;
        _results = new TResult[count];
        _has = mayLeaveGaps ? new bool[count] : null;
    }

    public static bool WantsOutcomes => false;

    public long Horizon => long.MaxValue;

    public bool HasResults => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Succeed(long index, TResult value)
    {
        // The array was created here with exactly this element type: the covariance check of a store is unnecessary.
        var results = _results;
        if ((ulong)index >= (ulong)results.Length)
            ThrowIndex(index);
        Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(results), (nint)index) = value;
        if (_has is not null)
            _has[index] = true;
    }

    public void Settle(in Outcome<TResult> outcome)
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
        else if (end.HasFailures)
            builder.SetException(end.ToThrowWith(WithIndexes()));
        else
            builder.SetResult(_has is null || !_has.AsSpan().Contains(false) ? _results : Compact());
    }

    private static void ThrowIndex(long index) => throw new InvalidOperationException($"The source returned item {index}, which is beyond the count that it reported.");

    private TResult[] Compact()
    {
        var kept = new TResult[_has.AsSpan().Count(true)];
        var to = 0;
        for (var i = 0; i < _has!.Length; i++)
        {
            if (_has[i])
                kept[to++] = _results[i];
        }
        return kept;
    }

    private List<KeyValuePair<long, TResult>> WithIndexes()
    {
        var kept = new List<KeyValuePair<long, TResult>>();
        for (var i = 0; i < _results.Length; i++)
        {
            if (_has![i])
                kept.Add(new KeyValuePair<long, TResult>(i, _results[i]));
        }
        return kept;
    }
}
