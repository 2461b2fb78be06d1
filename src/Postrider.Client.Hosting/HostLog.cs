using Microsoft.Extensions.Logging;

namespace Postrider.Client.Hosting;

/// <summary>The log messages of this package.</summary>
internal static partial class HostLog
{
    [LoggerMessage(1, LogLevel.Error, "{Client} gave up connecting: {Reason}")]
    public static partial void NotConnected(ILogger logger, string client, string reason);

    [LoggerMessage(2, LogLevel.Warning, "{Client} was closed before everything was handled and sent: {Reason}")]
    public static partial void NotDrained(ILogger logger, string client, string reason);
}
