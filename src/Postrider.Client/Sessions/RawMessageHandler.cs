namespace Postrider.Client;

/// <summary>Handles a message on the receiving thread, where it was received.</summary>
/// <param name="message">Valid during the call only.</param>
/// <remarks>Must be short and must never block: no other message is received meanwhile.</remarks>
public delegate void RawMessageHandler(RawMessage message);
