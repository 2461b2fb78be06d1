namespace Postrider.Rpc;

/// <summary>How a call ended. The numbers are those on the wire.</summary>
public enum RpcStatus
{
    /// <summary>With its result.</summary>
    Ok = 0,

    /// <summary>The caller gave up.</summary>
    Cancelled = 1,

    /// <summary>The time that the caller gave is over.</summary>
    DeadlineExceeded = 2,

    /// <summary>There is no such service or operation.</summary>
    NotFound = 3,

    /// <summary>What was sent cannot be read.</summary>
    InvalidData = 4,

    /// <summary>A message exceeds the limit.</summary>
    TooLarge = 5,

    /// <summary>Too much is under way.</summary>
    Busy = 6,

    /// <summary>There is no connection, or it broke: whether the operation ran is not known.</summary>
    Unavailable = 7,

    /// <summary>The operation failed in a way that the contract does not name.</summary>
    Internal = 8,

    /// <summary>A failure that the contract names: <see cref="RpcFaultException{T}"/>.</summary>
    Fault = 9,

    /// <summary>The transport has no way to do this.</summary>
    Unsupported = 10,

    /// <summary>The caller did not say who it is.</summary>
    Unauthenticated = 11,

    /// <summary>The caller may not do this.</summary>
    Forbidden = 12,

    /// <summary>A peer did not keep to the protocol; the connection is closed.</summary>
    ProtocolError = 13,
}
