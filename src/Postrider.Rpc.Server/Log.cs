using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server;

/// <summary>Log messages of the endpoints.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Error, "{Operation} failed")]
    public static partial void OperationFailed(ILogger logger, Exception exception, string operation);

    [LoggerMessage(9, LogLevel.Warning, "{Running} one-way calls still ran and {Waiting} waited when the host's shutdown timeout ended")]
    public static partial void CallsLeft(ILogger logger, int running, int waiting);
}
