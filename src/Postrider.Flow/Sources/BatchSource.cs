// Hot path: Pump -> this. Allocations: none.
namespace Postrider.Flow.Sources;

/// <summary>An array in batches: each is a part of it, nothing is copied.</summary>
internal struct BatchSource<TItem>(TItem[] items, int size) : ISource<Batch<TItem>>
{
    private readonly long _count = (items.Length + (long)size - 1) / size;
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

    public ClaimResult Claim(ref ItemChunk<Batch<TItem>> chunk, int max, long horizon)
    {
        if (!IndexClaim.TryClaim(ref _next, max, _count, horizon, out chunk.Next, out chunk.End))
            return _next >= _count ? ClaimResult.Done : ClaimResult.Full;
        return ClaimResult.Items;
    }

    public readonly Batch<TItem> Item(in ItemChunk<Batch<TItem>> chunk, long index)
    {
        var offset = (int)(index * size);
        return new Batch<TItem>(items, offset, Math.Min(size, items.Length - offset), isPooled: false);
    }

    public readonly bool HoldsBack() => false;

    public readonly bool TryTakeHeld(out ItemChunk<Batch<TItem>> chunk)
    {
        chunk = default;
        return false;
    }

    public readonly void ArmRead(Action continuation) => throw new NotSupportedException();

    public readonly ClaimResult EndRead(ref ItemChunk<Batch<TItem>> chunk) => throw new NotSupportedException();

    public readonly ValueTask CloseAsync() => default;
}
