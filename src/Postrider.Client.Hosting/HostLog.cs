using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Postrider.Client.Hosting;

/// <summary>The log messages of this package.</summary>
internal static partial class HostLog
{
    /// <summary>The logger of this package.</summary>
    /// <param name="loggers">The host's; null for none.</param>
    public static ILogger Create(ILoggerFactory? loggers) => loggers?.CreateLogger("Postrider.Client.Hosting") ?? (ILogger)NullLogger.Instance;

    [LoggerMessage(1, LogLevel.Error, "{Client} gave up connecting: {Reason}")]
    public static partial void NotConnected(ILogger logger, string client, string reason);

    [LoggerMessage(3, LogLevel.Information, "{What} is ready: it was created, or existed with this configuration")]
    public static partial void Provisioned(ILogger logger, string what);

    [LoggerMessage(2, LogLevel.Warning, "{Client} was closed before everything was handled and sent: {Reason}")]
    public static partial void NotDrained(ILogger logger, string client, string reason);
}
