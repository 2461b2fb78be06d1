namespace Postrider.Sockets.WebSockets;

/// <summary>The other side violated the WebSocket protocol or a limit. The message contains the details.</summary>
public sealed class WebSocketProtocolException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What was wrong.</param>
    /// <param name="status">The status sent to the other side.</param>
    /// <param name="cause">The exception beneath, or null.</param>
    public WebSocketProtocolException(string message, WebSocketCloseStatus status = WebSocketCloseStatus.ProtocolError, Exception? cause = null)
        : base(message, cause) => Status = status;

    /// <summary>The status sent to the other side.</summary>
    public WebSocketCloseStatus Status { get; }
}
