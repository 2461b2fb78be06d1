using Postrider.Envelopes;

namespace Postrider.Sagas;

/// <summary>A message of a saga, serialized and ready to be sent.</summary>
/// <param name="Type">The full name of its type, by which its route is found.</param>
/// <param name="Properties">Its properties, without the delay.</param>
/// <param name="Body">Its body.</param>
/// <param name="DueAt">When it is delivered; null for immediately.</param>
internal sealed record PendingMessage(string Type, MessageProperties Properties, ReadOnlyMemory<byte> Body, DateTimeOffset? DueAt);
