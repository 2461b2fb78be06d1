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

    /// <summary>What went wrong is not known: a status of another system's, or of a later version's.</summary>
    Unknown = 14,

    /// <summary>What was to be made is there already.</summary>
    AlreadyExists = 15,

    /// <summary>The system is not in the state that the operation needs; trying again alone does not help.</summary>
    FailedPrecondition = 16,

    /// <summary>The operation was given up because of others at the same time; what it belongs to may be tried again from its beginning.</summary>
    Aborted = 17,

    /// <summary>What was asked for lies beyond the end of what there is.</summary>
    OutOfRange = 18,

    /// <summary>Data was lost or is damaged.</summary>
    DataLoss = 19,
}
