using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Sockets;

/// <summary>Log messages of the server.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Error, "{Operation} failed")]
    public static partial void OperationFailed(ILogger logger, Exception exception, string operation);

    [LoggerMessage(2, LogLevel.Warning, "Connection of {Peer} closed: {Reason}")]
    public static partial void CutOff(ILogger logger, string peer, string reason);

    [LoggerMessage(3, LogLevel.Warning, "Connection of {Peer} rejected: the limit of {Count} connections is reached")]
    public static partial void TurnedAway(ILogger logger, string peer, int count);

    [LoggerMessage(4, LogLevel.Error, "Accepting a connection failed")]
    public static partial void AcceptFailed(ILogger logger, Exception exception);

    [LoggerMessage(5, LogLevel.Error, "Disposing the services of the connection of {Peer} failed")]
    public static partial void DisposalFailed(ILogger logger, Exception exception, string peer);

    [LoggerMessage(6, LogLevel.Warning, "{Time} after the server closed its connections, services of {Count} of them are still in use: calls ignore their cancellation token, or a disposal takes longer")]
    public static partial void StillInUse(ILogger logger, TimeSpan time, int count);
}
