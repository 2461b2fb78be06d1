// Hot path: Pump -> this. Allocations: none.
namespace Postrider.Flow.Sources;

/// <summary>An array, or a part of one. Claiming is one interlocked addition.</summary>
internal struct ArraySource<TItem>(TItem[] items) : ISource<TItem>
{
    private readonly TItem[] _items = items;
    private long _next;

    public static bool FillsChunks => false;

    public static bool Waits => false;

    public readonly bool MayBlock => false;

    public readonly long? Total => _items.Length;

    public readonly long Taken => Math.Min(_next, _items.Length);

    public readonly bool IsDone => _next >= _items.Length;

    public readonly void Open(CancellationToken ct)
    {
    }

    public readonly bool TakeWanted() => false;

    public ClaimResult Claim(ref ItemChunk<TItem> chunk, int max, long horizon)
    {
        if (!IndexClaim.TryClaim(ref _next, max, _items.Length, horizon, out chunk.Next, out chunk.End))
            return _next >= _items.Length ? ClaimResult.Done : ClaimResult.Full;
        return ClaimResult.Items;
    }

    public readonly TItem Item(in ItemChunk<TItem> chunk, long index) => _items[index];

    public readonly bool HoldsBack() => false;

    public readonly bool TryTakeHeld(out ItemChunk<TItem> chunk)
    {
        chunk = default;
        return false;
    }

    public readonly void ArmRead(Action continuation) => throw new NotSupportedException();

    public readonly ClaimResult EndRead(ref ItemChunk<TItem> chunk) => throw new NotSupportedException();

    public readonly ValueTask CloseAsync() => default;
}
