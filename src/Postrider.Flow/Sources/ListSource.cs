// Hot path: Pump -> this. Allocations: none.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace Postrider.Flow.Sources;

/// <summary>A list that does not change during the run.</summary>
internal struct ListSource<TItem>(List<TItem> items) : ISource<TItem>
{
    private readonly List<TItem> _items = items;
    private readonly int _count = items.Count;
    private long _next;

    public static bool FillsChunks => false;

    public static bool Waits => false;

    public readonly bool MayBlock => false;

    public readonly long? Total => _count;

    public readonly long Taken => Math.Min(_next, _count);

    public readonly bool IsDone => _next >= _count;

    public readonly void Open(CancellationToken ct)
    {
    }

    public readonly bool TakeWanted() => false;

    public ClaimResult Claim(ref ItemChunk<TItem> chunk, int max, long horizon)
    {
        if (!IndexClaim.TryClaim(ref _next, max, _count, horizon, out chunk.Next, out chunk.End))
            return _next >= _count ? ClaimResult.Done : ClaimResult.Full;
        if (_items.Count != _count)
            ThrowChanged();
        return ClaimResult.Items;
    }

    public readonly TItem Item(in ItemChunk<TItem> chunk, long index)
    {
        var there = CollectionsMarshal.AsSpan(_items);
        var at = (int)index;
        if ((uint)at >= (uint)there.Length)
            ThrowChanged();
        return there[at];
    }

    public readonly bool HoldsBack() => false;

    public readonly bool TryTakeHeld(out ItemChunk<TItem> chunk)
    {
        chunk = default;
        return false;
    }

    public readonly void ArmRead(Action continuation) => throw new NotSupportedException();

    public readonly ClaimResult EndRead(ref ItemChunk<TItem> chunk) => throw new NotSupportedException();

    public readonly ValueTask CloseAsync() => default;

    [DoesNotReturn]
    private readonly void ThrowChanged()
        => throw new InvalidOperationException($"The list had {_count} items when the operation began and has {_items.Count} now.");
}
