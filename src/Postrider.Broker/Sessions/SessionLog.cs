using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Sessions;

/// <summary>Log lines of sessions, in the reference's words.</summary>
internal static partial class SessionLog
{
    [LoggerMessage(Level = LogLevel.Debug, Message = "{Session} - Client connection created")]
    public static partial void Created(ILogger logger, string session);

    [LoggerMessage(Level = LogLevel.Debug, Message = "{Session} - Client connection closed: {Reason}")]
    public static partial void Closed(ILogger logger, string session, string reason);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Session} - Slow Consumer Detected: {Reason}, {Pending} bytes pending")]
    public static partial void SlowConsumer(ILogger logger, string session, string reason, long pending);

    [LoggerMessage(Level = LogLevel.Error, Message = "{Session} - {Problem}")]
    public static partial void Problem(ILogger logger, string session, string problem);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Session} - Removed sub {Subject} (sid {Sid}) - not authorized")]
    public static partial void Removed(ILogger logger, string session, string subject, string sid);

    [LoggerMessage(Level = LogLevel.Error, Message = "{Session} - a defect ended the connection")]
    public static partial void Fault(ILogger logger, string session, Exception? fault);
}
