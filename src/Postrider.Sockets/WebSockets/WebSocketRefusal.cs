namespace Postrider.Sockets.WebSockets;

/// <summary>Why a request for a WebSocket is refused.</summary>
/// <param name="Status">The HTTP status of the answer, 400 to 599.</param>
/// <param name="Reason">What is wrong, for the server's log; the client is told the status alone.</param>
public sealed record WebSocketRefusal(int Status, string Reason);
