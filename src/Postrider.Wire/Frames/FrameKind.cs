namespace Postrider.Wire.Frames;

/// <summary>The operations of the NATS client protocol, as flags so that a side can select the ones it accepts.</summary>
/// <remarks>Source: NATS client protocol.</remarks>
[Flags]
#pragma warning disable CA1008 // "None" is the state of a frame that was not read; the protocol has no zero operation
public enum FrameKind
{
    /// <summary>No frame was read.</summary>
    None = 0,

    /// <summary><c>INFO {json}</c>, from the server.</summary>
    Info = 1 << 0,

    /// <summary><c>CONNECT {json}</c>, from the client.</summary>
    Connect = 1 << 1,

    /// <summary><c>PING</c>, from either side.</summary>
    Ping = 1 << 2,

    /// <summary><c>PONG</c>, from either side.</summary>
    Pong = 1 << 3,

    /// <summary><c>+OK</c>, from a server in verbose mode.</summary>
    Ok = 1 << 4,

    /// <summary><c>-ERR 'text'</c>, from the server.</summary>
    Error = 1 << 5,

    /// <summary><c>SUB subject [queue] sid</c>, from the client.</summary>
    Subscribe = 1 << 6,

    /// <summary><c>UNSUB sid [max]</c>, from the client.</summary>
    Unsubscribe = 1 << 7,

    /// <summary><c>PUB subject [reply] size</c> and a payload, from the client.</summary>
    Publish = 1 << 8,

    /// <summary><c>HPUB subject [reply] header-size total-size</c>, headers and a payload, from the client.</summary>
    PublishWithHeaders = 1 << 9,

    /// <summary><c>MSG subject sid [reply] size</c> and a payload, from the server.</summary>
    Message = 1 << 10,

    /// <summary><c>HMSG subject sid [reply] header-size total-size</c>, headers and a payload, from the server.</summary>
    MessageWithHeaders = 1 << 11,

    /// <summary>The operations that a server accepts from clients; other operations end the connection.</summary>
    FromClient = Connect | Ping | Pong | Subscribe | Unsubscribe | Publish | PublishWithHeaders | Info | Ok | Error,

    /// <summary>The operations that a client accepts from its server.</summary>
    FromServer = Info | Ping | Pong | Ok | Error | Message | MessageWithHeaders,
}
