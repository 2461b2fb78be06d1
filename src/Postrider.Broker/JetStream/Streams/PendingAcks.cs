namespace Postrider.Broker.JetStream.Streams;

/// <summary>Acknowledgements that wait until the disk has their messages.</summary>
/// <param name="Owner">Sends them.</param>
/// <param name="Buffer">As the owner wrote it.</param>
/// <param name="Length">Bytes of it.</param>
internal readonly record struct PendingAcks(PubAckBatch Owner, byte[] Buffer, int Length);
