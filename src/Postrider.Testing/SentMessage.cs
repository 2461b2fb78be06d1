using Postrider.Envelopes;

namespace Postrider.Testing;

/// <summary>A message that was sent along a route.</summary>
/// <param name="Transport">The name with which its transport was added.</param>
/// <param name="Destination">The destination, in the format of the transport.</param>
/// <param name="Headers">Its headers, those of <see cref="HeaderNames"/> among them.</param>
/// <param name="Body">Its bytes.</param>
/// <param name="Delay">How long the transport keeps it before it is delivered; zero for not at all.</param>
public sealed record SentMessage(string Transport, string Destination, Headers Headers, ReadOnlyMemory<byte> Body, TimeSpan Delay);
