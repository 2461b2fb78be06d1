namespace Postrider.UnitTests.Storage;

/// <summary>A message as the tests remember it.</summary>
internal sealed record ReferenceMessage(string Subject, byte[] Headers, byte[] Payload, long Timestamp, uint TimeToLive);
