namespace Postrider.Sockets.WebSockets;

/// <summary>The decisions of a server about one connection that becomes a WebSocket.</summary>
public interface IWebSocketServer
{
    /// <summary>Whether messages are compressed for clients that offer it.</summary>
    bool AllowsCompression { get; }

    /// <summary>Header fields of the answer that accepts, as lines that each end in CR LF; empty for none.</summary>
    string AnswerHeaders { get; }

    /// <summary>Decides about a request that is one for a WebSocket. On the reading thread; must not block.</summary>
    /// <param name="request">The request.</param>
    /// <returns>Null to accept it.</returns>
    WebSocketRefusal? Check(WebSocketRequest request);

    /// <summary>Called once when the handshake is over; starts the connection. On the reading thread; must not block.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="request">What the client asked for.</param>
    void Opened(WebSocketConnection connection, WebSocketRequest request);

    /// <summary>Called once when the connection ends before it was opened.</summary>
    /// <param name="reason">Why, in words.</param>
    void Refused(string reason);

    /// <summary>What the close frame says when this side closes.</summary>
    /// <returns>The status and a text.</returns>
    WebSocketClose DescribeClose();
}
