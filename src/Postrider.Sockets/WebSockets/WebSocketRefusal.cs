namespace Postrider.Sockets.WebSockets;

/// <summary>Why a request for a WebSocket is rejected.</summary>
/// <param name="Status">The HTTP status of the response, 400 to 599.</param>
/// <param name="Reason">The problem, for the server's log; the client only receives the status.</param>
public sealed record WebSocketRefusal(int Status, string Reason);
