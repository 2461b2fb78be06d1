// Hot path: Pump -> this. Allocations: the result, once.
using System.Runtime.CompilerServices;
using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Stores results by index if the number of items is not known in advance.</summary>
internal readonly struct GrowingSink<TResult>(AsyncTaskMethodBuilder<TResult[]> task) : ISink<TResult>
{
    private readonly AsyncTaskMethodBuilder<TResult[]> _task = task;
    private readonly Segments<Entry> _entries = Segments<Entry>.Rent();

    public static bool WantsOutcomes => false;

    public long Horizon => Array.MaxLength;

    public bool HasResults => false;

    public void Succeed(long index, TResult value)
    {
        ref var entry = ref _entries[index];
        entry.Value = value;
        entry.Has = true;
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
            builder.SetException(end.ToThrowWith(WithIndexes(end.Taken)));
        else
            builder.SetResult(Collect(end.Taken));
    }

    private TResult[] Collect(long taken)
    {
        var count = 0;
        for (var i = 0L; i < taken; i++)
            count += _entries[i].Has ? 1 : 0;
        var results = new TResult[count];
        var to = 0;
        for (var i = 0L; i < taken; i++)
        {
            ref var entry = ref _entries[i];
            if (entry.Has)
                results[to++] = entry.Value;
        }
        _entries.Return();
        return results;
    }

    private List<KeyValuePair<long, TResult>> WithIndexes(long taken)
    {
        var kept = new List<KeyValuePair<long, TResult>>();
        for (var i = 0L; i < taken; i++)
        {
            ref var entry = ref _entries[i];
            if (entry.Has)
                kept.Add(new KeyValuePair<long, TResult>(i, entry.Value));
        }
        _entries.Return();
        return kept;
    }

    private struct Entry
    {
        public TResult Value;
        public bool Has;
    }
}
