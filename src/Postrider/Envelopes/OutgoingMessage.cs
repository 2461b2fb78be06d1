namespace Postrider.Envelopes;

/// <summary>A message that is sent together with others: <see cref="Transports.MessageSender.SendBatchAsync"/>.</summary>
/// <param name="Properties">The metadata of the message.</param>
/// <param name="Body">The bytes; they may be reused when the batch has been sent.</param>
public readonly record struct OutgoingMessage(MessageProperties Properties, ReadOnlyMemory<byte> Body);
