using Microsoft.Extensions.Logging;

namespace Postrider.Client.Sessions;

/// <summary>The client's log messages.</summary>
internal static partial class Log
{
    /// <summary>Logs an event with its server and subject; one that is repeated without a stack.</summary>
    public static void Event(ILogger logger, ClientEvent happened, bool isRepeated)
    {
        var level = LevelOf(happened);
        if (!logger.IsEnabled(level)) return;
        // The stack of a handler's exception helps to find it; those of the client's own errors say no more than their text.
        var stack = (happened.Kind == ClientEventKind.HandlerFailed && !isRepeated) || logger.IsEnabled(LogLevel.Debug) ? happened.Error : null;
        var reason = happened.Error is { } error ? $": {error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}" : "";
        switch (happened)
        {
            case { Server: { } server, Subject: { } subject }:
                EventOf(logger, level, happened.Kind, server, subject, reason, stack);
                break;
            case { Server: { } server }:
                EventAt(logger, level, happened.Kind, server, reason, stack);
                break;
            case { Subject: { } subject }:
                EventOn(logger, level, happened.Kind, subject, reason, stack);
                break;
            default:
                EventAlone(logger, level, happened.Kind, reason, stack);
                break;
        }
    }

    // A requested end has no error.
    private static LogLevel LevelOf(ClientEvent happened) => happened switch
    {
        { Kind: ClientEventKind.Connected or ClientEventKind.ServersDiscovered } => LogLevel.Debug,
        // It follows the warnings about a lost connection.
        { Kind: ClientEventKind.Reconnected } => LogLevel.Information,
        { Kind: ClientEventKind.Closed, Error: null } => LogLevel.Debug,
        _ => LogLevel.Warning,
    };

    [LoggerMessage(EventId = 1, Message = "{Kind}{Reason}")]
    private static partial void EventAlone(ILogger logger, LogLevel level, ClientEventKind kind, string reason, Exception? error);

    [LoggerMessage(EventId = 4, Message = "{Kind} (server {Server}){Reason}")]
    private static partial void EventAt(ILogger logger, LogLevel level, ClientEventKind kind, string server, string reason, Exception? error);

    [LoggerMessage(EventId = 5, Message = "{Kind} (subject {Subject}){Reason}")]
    private static partial void EventOn(ILogger logger, LogLevel level, ClientEventKind kind, string subject, string reason, Exception? error);

    [LoggerMessage(EventId = 6, Message = "{Kind} (server {Server}, subject {Subject}){Reason}")]
    private static partial void EventOf(ILogger logger, LogLevel level, ClientEventKind kind, string server, string subject, string reason, Exception? error);

    [LoggerMessage(2, LogLevel.Error, "A handler of the event {Kind} threw")]
    public static partial void EventHandlerFailed(ILogger logger, ClientEventKind kind, Exception error);

    [LoggerMessage(3, LogLevel.Debug, "Connecting to {Server}")]
    public static partial void Connecting(ILogger logger, string server);
}
