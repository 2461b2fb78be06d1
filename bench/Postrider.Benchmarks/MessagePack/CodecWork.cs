using System.Buffers;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>What one serializer does with one list of items.</summary>
/// <param name="Write">Writes the list.</param>
/// <param name="Read">Reads it.</param>
public sealed record CodecWork(Action<IBufferWriter<byte>> Write, Func<ReadOnlyMemory<byte>, object> Read);
