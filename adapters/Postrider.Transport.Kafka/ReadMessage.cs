using Confluent.Kafka;

namespace Postrider.Transport.Kafka;

/// <summary>A message that a listener has read, and the attempt that is due.</summary>
internal sealed record ReadMessage(HeldPartition Partition, HeldMessage Held, Message<byte[]?, byte[]?> Message, long Attempt);
