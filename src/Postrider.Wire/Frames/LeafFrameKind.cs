namespace Postrider.Wire.Frames;

/// <summary>The operations between two servers of which one is a leaf node of the other.</summary>
/// <remarks>Both sides send the same operations, except CONNECT. Source: nats-server, leaf node protocol.</remarks>
public enum LeafFrameKind
{
    /// <summary>No frame was read.</summary>
    None,

    /// <summary><c>INFO {json}</c>.</summary>
    Info,

    /// <summary><c>CONNECT {json}</c>, from the server that solicited the connection.</summary>
    Connect,

    /// <summary><c>PING</c>.</summary>
    Ping,

    /// <summary><c>PONG</c>.</summary>
    Pong,

    /// <summary><c>+OK</c>.</summary>
    Ok,

    /// <summary><c>-ERR 'text'</c>.</summary>
    Error,

    /// <summary><c>LS+ subject [queue weight]</c>: interest in a subject begins, or the weight of its queue group changes.</summary>
    Subscribe,

    /// <summary><c>LS- subject [queue]</c>: interest in a subject ends.</summary>
    Unsubscribe,

    /// <summary><c>LMSG subject [reply] size</c>, or with queue groups <c>LMSG subject + reply queue... size</c> and <c>LMSG subject | queue... size</c>,
    /// and a payload.</summary>
    Message,

    /// <summary><c>HMSG</c> with the arguments of <see cref="Message"/>, the size of the headers before the size of all; headers and a payload.</summary>
    MessageWithHeaders,
}
