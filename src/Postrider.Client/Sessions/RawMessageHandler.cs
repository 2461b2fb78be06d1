namespace Postrider.Client;

/// <summary>Handles a message on the receiving thread.</summary>
/// <param name="message">Valid during the call only.</param>
/// <remarks>Must be short and must never block: no other message is received in the meantime.</remarks>
public delegate void RawMessageHandler(RawMessage message);
