using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Serving;

/// <summary>Log lines of the program around the broker, with nats-server's texts.</summary>
internal static partial class ServingLog
{
    [LoggerMessage(EventId = 501, Level = LogLevel.Information, Message = "Trapped \"{Signal}\" signal")]
    internal static partial void Trapped(ILogger logger, string signal);

    [LoggerMessage(EventId = 502, Level = LogLevel.Information, Message = "File log re-opened")]
    internal static partial void Reopened(ILogger logger);

    [LoggerMessage(EventId = 503, Level = LogLevel.Information, Message = "File log re-open ignored, not a file logger")]
    internal static partial void ReopenIgnored(ILogger logger);

    [LoggerMessage(EventId = 504, Level = LogLevel.Information, Message = "Reloaded server configuration ({Digest})")]
    internal static partial void Reloaded(ILogger logger, string digest);

    [LoggerMessage(EventId = 505, Level = LogLevel.Error, Message = "Failed to reload server configuration: {Reason}")]
    internal static partial void ReloadFailed(ILogger logger, string reason);

    [LoggerMessage(EventId = 506, Level = LogLevel.Error, Message = "Lame duck mode failed, shutting down")]
    internal static partial void LameDuckFailed(ILogger logger, Exception error);

    [LoggerMessage(EventId = 507, Level = LogLevel.Critical, Message = "{Reason}")]
    internal static partial void Failed(ILogger logger, string reason);
}
