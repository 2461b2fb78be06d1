namespace Postrider.Rpc.Framing;

/// <summary>What a frame says. The numbers are those on the wire.</summary>
internal enum FrameKind : byte
{
    /// <summary>First from either side: limits and, from the client, the codec. Call 0.</summary>
    Hello = 1,

    /// <summary>Client: this number means this operation. The number stands where the call's would.</summary>
    Name = 2,

    /// <summary>Client: a call begins.</summary>
    Request = 3,

    /// <summary>Server: a call's message back, and its end.</summary>
    Response = 4,

    /// <summary>Server: a call's failure, and its end. With call 0: the connection's.</summary>
    Error = 5,

    /// <summary>An item of a call's stream.</summary>
    Item = 6,

    /// <summary>The end of the sender's stream; from the server also the call's.</summary>
    End = 7,

    /// <summary>Client: the answer is of no use any more.</summary>
    Cancel = 8,

    /// <summary>So many more bytes of items may be sent.</summary>
    Credit = 9,

    /// <summary>Server: begin no further calls here. Call 0.</summary>
    Goodbye = 10,

    /// <summary>Bytes of the connection in the other direction, on which the server is the caller. Call 0.</summary>
    Reverse = 11,
}
