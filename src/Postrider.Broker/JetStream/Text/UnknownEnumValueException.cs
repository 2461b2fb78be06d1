using System.Text.Json;

namespace Postrider.Broker.JetStream.Text;

/// <summary>A member has to be one of a few words and is none of them; the message is nats-server's, for the answer.</summary>
internal sealed class UnknownEnumValueException(string message) : JsonException(message);
