namespace Postrider.Wire.Frames;

/// <summary>The operations between two servers: of a leaf node and its hub, or of one cluster.</summary>
/// <remarks>Both sides send the same operations, except CONNECT. Source: nats-server, protocols of leaf nodes and routes.</remarks>
public enum PeerFrameKind
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

    /// <summary><c>LS+ subject [queue weight]</c>, of a route <c>RS+ account subject [queue weight]</c>, or <c>LS+ origin account subject [queue weight]</c> for a leaf node:
    /// interest in a subject begins, or the weight of its queue group changes.</summary>
    Subscribe,

    /// <summary><c>LS- subject [queue]</c>, of a route <c>RS- account subject [queue]</c> or <c>LS- origin account subject [queue]</c>: interest in a subject ends.</summary>
    Unsubscribe,

    /// <summary><c>LMSG subject [reply] size</c>, or with queue groups <c>LMSG subject + reply queue... size</c> and <c>LMSG subject | queue... size</c>, of a route <c>RMSG account subject ...</c>,
    /// or <c>LMSG origin account subject ... header-size size</c> for one of a leaf node; and a payload.</summary>
    Message,

    /// <summary><c>HMSG</c> with the arguments of <see cref="Message"/>, the size of the headers before the size of all; headers and a payload.</summary>
    MessageWithHeaders,

    /// <summary><c>A+ account</c> and <c>A- account</c> of a route: whether there is any interest in an account. Subscriptions imply the same.</summary>
    Account,
}
