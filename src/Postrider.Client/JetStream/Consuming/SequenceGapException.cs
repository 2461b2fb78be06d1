namespace Postrider.Client.JetStream.Consuming;

/// <summary>An ordered consumer must be made anew. Never leaves this library.</summary>
internal sealed class SequenceGapException(string reason) : Exception(reason);
