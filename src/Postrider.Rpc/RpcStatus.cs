namespace Postrider.Rpc;

/// <summary>The status of a call. The numbers are those on the wire.</summary>
public enum RpcStatus
{
    /// <summary>The call succeeded.</summary>
    Ok = 0,

    /// <summary>The caller cancelled the call.</summary>
    Cancelled = 1,

    /// <summary>The timeout of the call elapsed.</summary>
    DeadlineExceeded = 2,

    /// <summary>The service or operation does not exist.</summary>
    NotFound = 3,

    /// <summary>A message is invalid.</summary>
    InvalidData = 4,

    /// <summary>A message exceeds the size limit.</summary>
    TooLarge = 5,

    /// <summary>Too many calls are pending.</summary>
    Busy = 6,

    /// <summary>There is no connection, or it was lost; whether the operation ran is unknown.</summary>
    Unavailable = 7,

    /// <summary>The operation failed with an undeclared exception.</summary>
    Internal = 8,

    /// <summary>The operation failed with a declared fault: <see cref="RpcFaultException{T}"/>.</summary>
    Fault = 9,

    /// <summary>The transport does not support this kind of call.</summary>
    Unsupported = 10,

    /// <summary>The caller is not authenticated.</summary>
    Unauthenticated = 11,

    /// <summary>The caller is not authorized.</summary>
    Forbidden = 12,

    /// <summary>A peer violated the protocol; the connection is closed.</summary>
    ProtocolError = 13,

    /// <summary>The cause is unknown, for example a status of another system or a later version.</summary>
    Unknown = 14,

    /// <summary>The entity to be created already exists.</summary>
    AlreadyExists = 15,

    /// <summary>The system is not in the state that the operation requires; a retry alone does not help.</summary>
    FailedPrecondition = 16,

    /// <summary>The operation was aborted because of a conflict with concurrent operations; a retry of the whole transaction may
    /// succeed.</summary>
    Aborted = 17,

    /// <summary>A value is outside the valid range.</summary>
    OutOfRange = 18,

    /// <summary>Data was lost or is corrupt.</summary>
    DataLoss = 19,
}
