using System.Buffers;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>What one serializer does with one list of items.</summary>
/// <param name="Items">The list, of the serializer's own types.</param>
/// <param name="Write">Writes such a list.</param>
/// <param name="Read">Reads one.</param>
public sealed record CodecWork(object Items, Action<IBufferWriter<byte>, object> Write, Func<ReadOnlyMemory<byte>, object> Read);
