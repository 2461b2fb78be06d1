using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server;

/// <summary>What the endpoints tell their log.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Error, "{Operation} failed")]
    public static partial void OperationFailed(ILogger logger, Exception exception, string operation);
}
