namespace Postrider.Broker.Storage;

/// <summary>Bytes of a block that hold no intact record.</summary>
/// <param name="Block">Number of the block.</param>
/// <param name="Offset">Where they begin in the block.</param>
/// <param name="Length">How many; at the end of the newest block this is a write that was cut short.</param>
/// <param name="LostFirst">The first sequence that may have been there; 0 when none is missing.</param>
/// <param name="LostLast">The last one.</param>
internal sealed record DamagedRange(uint Block, long Offset, long Length, ulong LostFirst, ulong LostLast);
