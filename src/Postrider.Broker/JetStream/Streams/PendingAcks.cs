namespace Postrider.Broker.JetStream.Streams;

/// <summary>Acknowledgements that wait until their messages are flushed to the disk.</summary>
/// <param name="Owner">Sends them.</param>
/// <param name="Buffer">The acknowledgements in the owner's format.</param>
/// <param name="Length">The number of bytes in use.</param>
internal readonly record struct PendingAcks(PubAckBatch Owner, byte[] Buffer, int Length);
