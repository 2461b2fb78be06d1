using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Postrider.Flow.Sources;

/// <summary>An enumerable in batches, each in a pooled array that its reader returns.</summary>
internal static class PooledBatches
{
    // A batch grows with its items: a size far beyond the source must not allocate the whole array.
    private const int FirstLength = 1024;

    public static IEnumerable<Batch<TItem>> Of<TItem>(IEnumerable<TItem> source, int size)
    {
        using var items = source.GetEnumerator();
        while (items.MoveNext())
        {
            var batch = ArrayPool<TItem>.Shared.Rent(Math.Min(size, FirstLength));
            var count = 0;
            ExceptionDispatchInfo? fault = null;
            do
            {
                Put(ref batch, count++, items.Current);
            }
            while (count < size && TryMove(items, out fault));
            yield return new Batch<TItem>(batch, 0, count, isPooled: true);
            fault?.Throw();
        }
    }

    // The items before the failure are a separate batch.
    private static bool TryMove<TItem>(IEnumerator<TItem> items, out ExceptionDispatchInfo? fault)
    {
        fault = null;
        try
        {
            return items.MoveNext();
        }
        catch (Exception thrown)
        {
            fault = ExceptionDispatchInfo.Capture(thrown);
            return false;
        }
    }

    /// <summary>Appends, into a larger pooled array when this one is full.</summary>
    public static void Put<TItem>(ref TItem[] batch, int count, TItem item)
    {
        if (count == batch.Length)
        {
            var larger = ArrayPool<TItem>.Shared.Rent(2 * count);
            Array.Copy(batch, larger, count);
            ArrayPool<TItem>.Shared.Return(batch, RuntimeHelpers.IsReferenceOrContainsReferences<TItem>());
            batch = larger;
        }
        batch[count] = item;
    }
}
