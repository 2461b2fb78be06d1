using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Nats;

/// <summary>Log messages of a service.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Error, "{Operation} failed")]
    public static partial void OperationFailed(ILogger logger, Exception exception, string operation);

    [LoggerMessage(8, LogLevel.Warning, "Services over NATS still had running calls when the host's shutdown timeout ended")]
    public static partial void StillRunning(ILogger logger);
}
