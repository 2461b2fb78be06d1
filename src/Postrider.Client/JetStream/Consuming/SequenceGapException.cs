namespace Postrider.Client.JetStream.Consuming;

/// <summary>An ordered consumer must be recreated. Never leaves this library.</summary>
internal sealed class SequenceGapException(string reason) : Exception(reason);
