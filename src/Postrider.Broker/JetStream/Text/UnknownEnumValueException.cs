using System.Text.Json;

namespace Postrider.Broker.JetStream.Text;

/// <summary>A member has an unknown enum value; the message is nats-server's, for the reply.</summary>
internal sealed class UnknownEnumValueException(string message) : JsonException(message);
