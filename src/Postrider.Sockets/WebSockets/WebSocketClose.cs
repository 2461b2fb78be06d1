namespace Postrider.Sockets.WebSockets;

/// <summary>What a close frame says.</summary>
/// <param name="Status">The reason.</param>
/// <param name="Text">The reason in words; empty for none.</param>
public readonly record struct WebSocketClose(WebSocketCloseStatus Status, string Text);
