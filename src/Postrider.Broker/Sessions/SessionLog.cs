using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Sessions;

/// <summary>Log lines of sessions, in nats-server's words.</summary>
internal static partial class SessionLog
{
    [LoggerMessage(EventId = 101, Level = LogLevel.Debug, Message = "{Session} - Client connection created")]
    public static partial void Created(ILogger logger, string session);

    [LoggerMessage(EventId = 102, Level = LogLevel.Debug, Message = "{Session} - Client connection closed: {Reason}")]
    public static partial void Closed(ILogger logger, string session, string reason);

    [LoggerMessage(EventId = 103, Level = LogLevel.Information, Message = "{Session} - Slow Consumer Detected: MaxPending of {MaxPending} Exceeded")]
    public static partial void PendingExceeded(ILogger logger, string session, long maxPending);

    [LoggerMessage(
        EventId = 104,
        Level = LogLevel.Information,
        Message = "{Session} - Slow Consumer Detected: WriteDeadline of {Deadline} exceeded with {Pieces} chunks of {Bytes} total bytes.")]
    public static partial void DeadlineExceeded(ILogger logger, string session, string deadline, int pieces, long bytes);

    [LoggerMessage(EventId = 105, Level = LogLevel.Error, Message = "{Session} - {Problem}")]
    public static partial void Problem(ILogger logger, string session, string problem);

    [LoggerMessage(EventId = 106, Level = LogLevel.Information, Message = "{Session} - Removed sub {Subject} (sid {Sid}) - not authorized")]
    public static partial void Removed(ILogger logger, string session, string subject, string sid);

    [LoggerMessage(EventId = 107, Level = LogLevel.Error, Message = "{Session} - internal error, connection closed")]
    public static partial void Fault(ILogger logger, string session, Exception? fault);
}
