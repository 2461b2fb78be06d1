using System.Buffers;
using System.Net;

namespace Postrider.Rpc.Grpc;

/// <summary>Statuses as gRPC numbers them.</summary>
/// <remarks>Source: gRPC's statuscodes.md and http-grpc-status-mapping.md.</remarks>
internal static class GrpcStatus
{
    public const int Ok = 0;

    // For operations that are not served: the status of every gRPC server.
    public const int Unimplemented = 12;

    public static int From(RpcStatus status) => status switch
    {
        RpcStatus.Ok => Ok,
        RpcStatus.Cancelled => 1,
        RpcStatus.Unknown => 2,
        RpcStatus.InvalidData => 3,
        RpcStatus.DeadlineExceeded => 4,
        RpcStatus.NotFound => 5,
        RpcStatus.AlreadyExists => 6,
        RpcStatus.Forbidden => 7,
        RpcStatus.TooLarge or RpcStatus.Busy => 8,
        RpcStatus.Fault or RpcStatus.FailedPrecondition => 9,
        RpcStatus.Aborted => 10,
        RpcStatus.OutOfRange => 11,
        RpcStatus.Unsupported => Unimplemented,
        RpcStatus.Unavailable => 14,
        RpcStatus.DataLoss => 15,
        RpcStatus.Unauthenticated => 16,
        _ => 13,
    };

    public static RpcStatus ToStatus(int code) => code switch
    {
        Ok => RpcStatus.Ok,
        1 => RpcStatus.Cancelled,
        2 => RpcStatus.Unknown,
        3 => RpcStatus.InvalidData,
        4 => RpcStatus.DeadlineExceeded,
        5 or Unimplemented => RpcStatus.NotFound,
        6 => RpcStatus.AlreadyExists,
        7 => RpcStatus.Forbidden,
        8 => RpcStatus.Busy,
        9 => RpcStatus.FailedPrecondition,
        10 => RpcStatus.Aborted,
        11 => RpcStatus.OutOfRange,
        13 => RpcStatus.Internal,
        14 => RpcStatus.Unavailable,
        15 => RpcStatus.DataLoss,
        16 => RpcStatus.Unauthenticated,

        // Numbers that gRPC does not define are read as its UNKNOWN.
        _ => RpcStatus.Unknown,
    };

    /// <summary>Maps a response without a gRPC status: it came from a proxy.</summary>
    public static RpcStatus FromHttp(HttpStatusCode status) => (int)status switch
    {
        401 => RpcStatus.Unauthenticated,
        403 => RpcStatus.Forbidden,
        404 => RpcStatus.NotFound,
        429 or 502 or 503 or 504 => RpcStatus.Unavailable,
        _ => RpcStatus.Internal,
    };
}
