namespace Postrider.Sockets.WebSockets;

/// <summary>The other side broke the WebSocket protocol or a limit. The message says how.</summary>
public sealed class WebSocketProtocolException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What was wrong.</param>
    /// <param name="status">What the other side is told.</param>
    /// <param name="cause">The exception beneath, or null.</param>
    public WebSocketProtocolException(string message, WebSocketCloseStatus status = WebSocketCloseStatus.ProtocolError, Exception? cause = null)
        : base(message, cause) => Status = status;

    /// <summary>What the other side is told.</summary>
    public WebSocketCloseStatus Status { get; }
}
