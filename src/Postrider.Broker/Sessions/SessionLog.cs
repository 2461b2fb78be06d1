using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;

namespace Postrider.Broker.Sessions;

/// <summary>The log messages of sessions, in nats-server's words.</summary>
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

    [LoggerMessage(EventId = 108, Level = LogLevel.Debug, Message = "{Session} - Starting TLS client connection handshake")]
    public static partial void HandshakeBegins(ILogger logger, string session);

    [LoggerMessage(EventId = 109, Level = LogLevel.Debug, Message = "{Session} - TLS handshake complete")]
    public static partial void HandshakeComplete(ILogger logger, string session);

    [LoggerMessage(EventId = 110, Level = LogLevel.Debug, Message = "{Session} - TLS version {Version}, cipher suite {Suite}")]
    public static partial void Negotiated(ILogger logger, string session, string version, string suite);

    [LoggerMessage(EventId = 111, Level = LogLevel.Debug, Message = "{Session} - TLS handshake timeout")]
    public static partial void HandshakeTimeout(ILogger logger, string session);

    [LoggerMessage(EventId = 112, Level = LogLevel.Debug, Message = "{Session} - TLS handshake error: {Problem}")]
    public static partial void HandshakeRefused(ILogger logger, string session, string problem);

    [LoggerMessage(EventId = 113, Level = LogLevel.Warning, Message = "Rejected {Count} connections due to TLS rate limiting")]
    public static partial void RateLimited(ILogger logger, long count);

    [LoggerMessage(EventId = 114, Level = LogLevel.Debug, Message = "{Session} - {Reason}")]
    public static partial void TokenRefused(ILogger logger, string session, string reason);

    [LoggerMessage(EventId = 115, Level = LogLevel.Warning, Message = "Event {Subject} dropped: too many events are waiting")]
    public static partial void EventDropped(ILogger logger, string subject);

    [LoggerMessage(EventId = 116, Level = LogLevel.Warning, Message = "{Session} - {Reason}")]
    public static partial void CalloutRefused(ILogger logger, string session, string reason);

    [LoggerMessage(EventId = 117, Level = LogLevel.Warning, Message = "Clients of account {Account} cause more than {Lines} errors in a second: the rest of this second's is not logged")]
    public static partial void Omitted(ILogger logger, string account, int lines);

    /// <summary>Logs a problem that a client can cause with each of its frames, unless its account's clients have caused too many.</summary>
    public static void RepeatableProblem(ClientSession session, string problem)
    {
        if (MayReport(session.Context, session.State.Account)) Problem(session.Context.Logger, session.Name, problem);
    }

    /// <summary>Whether a problem that a client can cause with each of its frames is to be logged; logs when further ones are omitted.</summary>
    public static bool MayReport(SessionContext context, Account account)
    {
        if (account.LogAllowance.TryTake(context.Time, out var isFirstOmitted)) return true;
        if (isFirstOmitted) Omitted(context.Logger, account.Name, LogAllowance.LinesPerSecond);
        return false;
    }

    /// <summary>Logs the details of a session's end.</summary>
    /// <param name="session">The session.</param>
    /// <param name="end">Why it ended.</param>
    /// <param name="reason">Why its connection ended.</param>
    /// <param name="error">The error that ended the connection, or null.</param>
    public static void Ended(ClientSession session, ClosedState end, CloseReason reason, Exception? error)
    {
        var (logger, outbox) = (session.Context.Logger, session.Connection.Outbox);
        if (reason == CloseReason.ReceiverFault) Fault(logger, session.Name, error);
        if (error is WebSocketProtocolException) Problem(logger, session.Name, $"read error: {error.Message}");
        if (end == ClosedState.SlowConsumerPendingBytes)
            PendingExceeded(logger, session.Name, outbox.MaxPendingBytes);
        else if (end == ClosedState.SlowConsumerWriteDeadline)
            DeadlineExceeded(logger, session.Name, GoDuration.Format(outbox.WriteDeadline), outbox.UnsentPieces, outbox.UnsentBytes);
    }
}
