namespace Postrider.Storage;

/// <summary>The description of a store and its blocks in a snapshot.</summary>
internal sealed record CheckpointContents(uint Salt, ulong FirstSequence, ulong LastSequence, long Messages, long Bytes, long LastTimestamp, CheckpointBlock[] Blocks);
