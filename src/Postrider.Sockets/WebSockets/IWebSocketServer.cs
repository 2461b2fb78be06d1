namespace Postrider.Sockets.WebSockets;

/// <summary>The decisions of a server about one connection that becomes a WebSocket.</summary>
public interface IWebSocketServer
{
    /// <summary>Whether messages are compressed for clients that offer it.</summary>
    bool AllowsCompression { get; }

    /// <summary>Header fields of the accepting response, as lines that each end in CR LF; empty for none.</summary>
    string AnswerHeaders { get; }

    /// <summary>Decides about a valid WebSocket request. On the reading thread; must not block.</summary>
    /// <param name="request">The request.</param>
    /// <returns>Null to accept it.</returns>
    WebSocketRefusal? Check(WebSocketRequest request);

    /// <summary>Called once when the handshake has completed; starts the connection. On the reading thread; must not block.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="request">The client's request.</param>
    void Opened(WebSocketConnection connection, WebSocketRequest request);

    /// <summary>Called once when the connection ends before it was opened.</summary>
    /// <param name="reason">A description of the reason.</param>
    void Refused(string reason);

    /// <summary>The content of the close frame when this side closes.</summary>
    /// <returns>The status and a text.</returns>
    WebSocketClose DescribeClose();
}
