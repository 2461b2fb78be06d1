using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Serving;

/// <summary>Log lines of the program around the broker, in nats-server's words.</summary>
internal static partial class ServingLog
{
    [LoggerMessage(Level = LogLevel.Information, Message = "Trapped \"{Signal}\" signal")]
    internal static partial void Trapped(ILogger logger, string signal);

    [LoggerMessage(Level = LogLevel.Information, Message = "File log re-opened")]
    internal static partial void Reopened(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "File log re-open ignored, not a file logger")]
    internal static partial void ReopenIgnored(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "Reloaded server configuration ({Digest})")]
    internal static partial void Reloaded(ILogger logger, string digest);

    [LoggerMessage(Level = LogLevel.Error, Message = "Failed to reload server configuration: {Reason}")]
    internal static partial void ReloadFailed(ILogger logger, string reason);

    [LoggerMessage(Level = LogLevel.Error, Message = "Lame duck mode failed, shutting down")]
    internal static partial void LameDuckFailed(ILogger logger, Exception error);

    [LoggerMessage(Level = LogLevel.Critical, Message = "{Reason}")]
    internal static partial void Failed(ILogger logger, string reason);
}
