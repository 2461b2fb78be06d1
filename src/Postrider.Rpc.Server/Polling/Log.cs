using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server.Polling;

/// <summary>Log messages of the listeners.</summary>
internal static partial class Log
{
    [LoggerMessage(2, LogLevel.Warning, "A connection could not be accepted")]
    public static partial void AcceptFailed(ILogger logger, Exception exception);
}
