using Postrider.Sockets.WebSockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>Accepts every request; the test starts the connection.</summary>
internal sealed class WebSocketAcceptor(bool compresses) : IWebSocketServer
{
    public bool AllowsCompression => compresses;

    public string AnswerHeaders => "";

    public WebSocketRefusal? Check(WebSocketRequest request) => null;

    public void Opened(WebSocketConnection connection, WebSocketRequest request)
    {
        // The test starts it.
    }

    public void Refused(string reason)
    {
        // The receiver is told.
    }

    public WebSocketClose DescribeClose() => new(WebSocketCloseStatus.NormalClosure, "");
}
