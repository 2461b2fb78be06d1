using System.Text.Json;

namespace Postrider.Broker.Streams;

/// <summary>A member has to be one of a few words and is none of them; the message is the reference's, for the answer.</summary>
internal sealed class UnknownWordException(string message) : JsonException(message);
