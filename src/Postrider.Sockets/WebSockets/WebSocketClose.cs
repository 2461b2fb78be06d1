namespace Postrider.Sockets.WebSockets;

/// <summary>The content of a close frame.</summary>
/// <param name="Status">The reason.</param>
/// <param name="Text">A description of the reason; empty for none.</param>
public readonly record struct WebSocketClose(WebSocketCloseStatus Status, string Text);
