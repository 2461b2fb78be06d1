using Postrider.Storage.Blocks;

namespace Postrider.Storage;

/// <summary>The description of one block in a snapshot.</summary>
internal sealed record CheckpointBlock(
    uint Number, uint Generation, ulong First, int Slots, long DataBytes, long FileBytes, long LiveBytes, long ControlBytes, long LastTimestamp, bool IsSealed, RemovedSet Removed)
{
    /// <summary>The sequence after the last one that it covers.</summary>
    public ulong Next => First + (ulong)Slots;
}
