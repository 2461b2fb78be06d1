using System.Buffers;
using System.Collections;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>What one serializer does with one list of items.</summary>
/// <param name="Items">The list, of the serializer's own types.</param>
/// <param name="Write">Writes such a list.</param>
/// <param name="Read">Reads one.</param>
/// <param name="View">How to look at it, when it is no collection of our items.</param>
public sealed record CodecWork(object Items, Action<IBufferWriter<byte>, object> Write, Func<ReadOnlyMemory<byte>, object> Read, CodecView? View = null)
{
    /// <summary>How many items were read.</summary>
    /// <param name="items">What was read.</param>
    /// <returns>The number.</returns>
    public int Count(object items) => View is null ? ((ICollection)items).Count : View.Count(items);

    /// <summary>What was read as items that have the JSON of ours.</summary>
    /// <param name="items">What was read.</param>
    /// <returns>The items.</returns>
    public object Plain(object items) => View is null ? items : View.Items(items);
}
