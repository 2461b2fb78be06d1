namespace Postrider.Storage;

/// <summary>What a snapshot says of a store and its blocks.</summary>
internal sealed record CheckpointContents(uint Salt, ulong FirstSequence, ulong LastSequence, long Messages, long Bytes, long LastTimestamp, CheckpointBlock[] Blocks);
