namespace Postrider.Client.JetStream;

/// <summary>Where a message comes from and how often it was delivered.</summary>
/// <param name="Stream">Its stream.</param>
/// <param name="Consumer">The consumer that delivered it.</param>
/// <param name="StreamSequence">Its sequence in the stream.</param>
/// <param name="ConsumerSequence">The number of the delivery.</param>
/// <param name="DeliveryCount">How often it was delivered, this time included.</param>
/// <param name="Pending">How many messages the consumer has still to deliver.</param>
/// <param name="Time">When it was stored.</param>
/// <param name="Domain">The stream's domain, or null.</param>
public readonly record struct MessageMetadata(
    string Stream, string Consumer, ulong StreamSequence, ulong ConsumerSequence, long DeliveryCount, ulong Pending, DateTimeOffset Time, string? Domain);
