using System.Buffers;
using System.Runtime.CompilerServices;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Pumps;

/// <summary>A delegate over batches; pooled arrays are returned when it has ended.</summary>
internal readonly struct BatchBody<TItem, TResult>(Func<Batch<TItem>, CancellationToken, ValueTask<TResult>> body)
    : IBody<Batch<TItem>, Pending<TResult>>
{
    public Pending<TResult> Invoke(Batch<TItem> item, CancellationToken ct) => new(body(item, ct));

    public void Release(Batch<TItem> item)
    {
        if (item.IsPooled)
            ArrayPool<TItem>.Shared.Return(item.Array, RuntimeHelpers.IsReferenceOrContainsReferences<TItem>());
    }
}
