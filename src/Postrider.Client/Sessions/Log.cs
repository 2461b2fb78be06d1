using Microsoft.Extensions.Logging;

namespace Postrider.Client.Sessions;

/// <summary>The client's log messages.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1, Message = "{Kind} (server {Server}, subject {Subject})")]
    public static partial void Event(ILogger logger, LogLevel level, ClientEventKind kind, string? server, string? subject, Exception? error);

    [LoggerMessage(2, LogLevel.Error, "A handler of the event {Kind} threw")]
    public static partial void EventHandlerFailed(ILogger logger, ClientEventKind kind, Exception error);

    [LoggerMessage(3, LogLevel.Debug, "Connecting to {Server}")]
    public static partial void Connecting(ILogger logger, string server);
}
