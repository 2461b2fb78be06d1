namespace Postrider.Storage;

/// <summary>What a snapshot says of a store and its blocks.</summary>
internal sealed record SnapshotContents(uint Salt, ulong FirstSequence, ulong LastSequence, long Messages, long Bytes, long LastTimestamp, SnapshotBlock[] Blocks);
