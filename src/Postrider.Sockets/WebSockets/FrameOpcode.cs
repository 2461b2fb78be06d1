namespace Postrider.Sockets.WebSockets;

/// <summary>The type of a frame. Source: RFC 6455, 11.8.</summary>
internal enum FrameOpcode
{
    /// <summary>Continues the message of the previous frames.</summary>
    Continuation = 0,

    /// <summary>Begins a message of text.</summary>
    Text = 1,

    /// <summary>Begins a message of bytes.</summary>
    Binary = 2,

    /// <summary>Ends the connection.</summary>
    Close = 8,

    /// <summary>Asks for a pong.</summary>
    Ping = 9,

    /// <summary>Answers a ping.</summary>
    Pong = 10,
}
