using System.Threading.Channels;
using Postrider.Flow;

namespace Postrider.Benchmarks.Flow;

/// <summary>1,000 items of 1 ms at each limit, beside the least code that could do it: workers on a channel.</summary>
internal static class ScalingRows
{
    public static readonly int[] Limits = [1, 2, 4, 8, 16, 32, 64, 128];

    public static IEnumerable<FlowRow> All(bool quick)
    {
        foreach (var limit in Limits.Where(limit => !quick || limit >= 8))
        {
            var options = new FlowOptions { MaxConcurrency = limit };
            yield return new("scaling", Name(limit), FlowRow.Ours, CoreRows.Items,
                () => CoreRows.Source.ForEachParallelAsync(CoreRows.RestAsync, options), IsWaiting: true);
            yield return new("scaling", Name(limit), "Channels pool", CoreRows.Items, () => PoolAsync(limit), IsWaiting: true);
        }
    }

    public static string Name(int limit) => $"1,000 x 1 ms at {limit}";

    private static async Task PoolAsync(int workers)
    {
        // The body is ours, with a token that can be cancelled, as every operator gives one.
        using var cancel = new CancellationTokenSource();
        var channel = Channel.CreateUnbounded<int>();
        foreach (var item in CoreRows.Source)
            channel.Writer.TryWrite(item);
        channel.Writer.Complete();
        await Task.WhenAll(Enumerable.Range(0, workers).Select(async _ =>
        {
            while (await channel.Reader.WaitToReadAsync())
            {
                while (channel.Reader.TryRead(out var item))
                    await CoreRows.RestAsync(item, cancel.Token);
            }
        }));
    }
}
