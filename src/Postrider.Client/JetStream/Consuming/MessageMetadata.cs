namespace Postrider.Client.JetStream;

/// <summary>The position and delivery count of a message.</summary>
/// <param name="Stream">Its stream.</param>
/// <param name="Consumer">The consumer that delivered it.</param>
/// <param name="StreamSequence">Its sequence in the stream.</param>
/// <param name="ConsumerSequence">The number of the delivery.</param>
/// <param name="DeliveryCount">How often it was delivered, including this time.</param>
/// <param name="Pending">Number of messages that the consumer has not delivered yet.</param>
/// <param name="Time">The time when it was stored.</param>
/// <param name="Domain">The stream's domain, or null.</param>
public readonly record struct MessageMetadata(
    string Stream, string Consumer, ulong StreamSequence, ulong ConsumerSequence, long DeliveryCount, ulong Pending, DateTimeOffset Time, string? Domain);
