namespace Postrider.Rpc.Framing;

/// <summary>The kind of a frame. The numbers are those on the wire.</summary>
internal enum RpcFrameKind : byte
{
    /// <summary>The first frame of either side: limits and, from the client, the codec. Call number 0.</summary>
    Hello = 1,

    /// <summary>Client: assigns a number to an operation. The number is in the position of the call number.</summary>
    Name = 2,

    /// <summary>Client: starts a call.</summary>
    Request = 3,

    /// <summary>Server: the response of a call, which ends it.</summary>
    Response = 4,

    /// <summary>Server: the failure of a call, which ends it. With call number 0: of the connection.</summary>
    Error = 5,

    /// <summary>An item of a call's stream.</summary>
    Item = 6,

    /// <summary>The end of the sender's stream; from the server also the end of the call.</summary>
    End = 7,

    /// <summary>Client: cancels a call.</summary>
    Cancel = 8,

    /// <summary>Allows additional bytes of items.</summary>
    Credit = 9,

    /// <summary>Server: asks the client to start no further calls. Call number 0.</summary>
    Goodbye = 10,

    /// <summary>Bytes of the reverse connection, on which the server is the client. Call number 0.</summary>
    Reverse = 11,
}
