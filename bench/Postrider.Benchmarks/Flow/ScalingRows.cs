using System.Threading.Channels;
using Postrider.Flow;

namespace Postrider.Benchmarks.Flow;

/// <summary>1,000 items of 1 ms at each limit, beside the least code that could do it: workers on a channel.</summary>
internal static class ScalingRows
{
    public static readonly int[] Limits = [1, 2, 4, 8, 16, 32, 64, 128];

    public static IEnumerable<FlowRow> All()
    {
        foreach (var limit in Limits)
        {
            var options = new FlowOptions { MaxConcurrency = limit };
            yield return Row(limit, FlowRow.Ours, marks => marks.Source.ForEachParallelAsync(marks.PutLaterAsync, options));
            yield return Row(limit, "Channels pool", marks => PoolAsync(marks, limit));
        }
    }

    public static FlowRow Row(int limit, string subject, Func<Marks, Task> run)
    {
        var marks = new Marks(CoreRows.Items);
        return new("scaling", Name(limit), subject, CoreRows.Items, () => marks.CountAsync(() => run(marks)), CoreRows.Items, IsWaiting: true);
    }

    public static string Name(int limit) => $"1,000 x 1 ms at {limit}";

    private static async Task PoolAsync(Marks marks, int workers)
    {
        // A token that can be cancelled, as every operator gives its bodies one.
        using var cancel = new CancellationTokenSource();
        var channel = Channel.CreateUnbounded<int>();
        foreach (var item in marks.Source)
            channel.Writer.TryWrite(item);
        channel.Writer.Complete();
        await Task.WhenAll(Enumerable.Range(0, workers).Select(async _ =>
        {
            while (await channel.Reader.WaitToReadAsync())
            {
                while (channel.Reader.TryRead(out var item))
                    await marks.PutLaterAsync(item, cancel.Token);
            }
        }));
    }
}
