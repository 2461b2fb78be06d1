using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Hosting;

/// <summary>The broker's log messages for start, reload and stop, in nats-server's words: scripts wait for them.</summary>
internal static partial class BrokerLog
{
    [LoggerMessage(EventId = 1, Level = LogLevel.Information, Message = "Starting {Program} {Version}")]
    public static partial void Starting(ILogger logger, string program, string version);

    [LoggerMessage(EventId = 2, Level = LogLevel.Information, Message = "  Version:  {Version} (of the compatible nats-server)")]
    public static partial void Version(ILogger logger, string version);

    [LoggerMessage(EventId = 3, Level = LogLevel.Information, Message = "  Name:     {Name}")]
    public static partial void Name(ILogger logger, string name);

    [LoggerMessage(EventId = 4, Level = LogLevel.Information, Message = "  ID:       {Id}")]
    public static partial void Id(ILogger logger, string id);

    [LoggerMessage(EventId = 5, Level = LogLevel.Information, Message = "Using configuration file: {File} ({Digest})")]
    public static partial void Configuration(ILogger logger, string file, string digest);

    [LoggerMessage(EventId = 6, Level = LogLevel.Information, Message = "Listening for client connections on {EndPoint}")]
    public static partial void Listening(ILogger logger, string endPoint);

    [LoggerMessage(EventId = 17, Level = LogLevel.Information, Message = "TLS required for client connections")]
    public static partial void TlsRequired(ILogger logger);

    [LoggerMessage(EventId = 18, Level = LogLevel.Information, Message = "TLS available for client connections")]
    public static partial void TlsAvailable(ILogger logger);

    [LoggerMessage(EventId = 19, Level = LogLevel.Warning, Message = "Clients that are not using \"TLS Handshake First\" option will fail to connect")]
    public static partial void TlsFirstOnly(ILogger logger);

    [LoggerMessage(EventId = 30, Level = LogLevel.Information, Message = "Listening for websocket clients on {Url}")]
    public static partial void ListeningWebSocket(ILogger logger, string url);

    [LoggerMessage(EventId = 31, Level = LogLevel.Warning, Message = "Websocket not configured with TLS. DO NOT USE IN PRODUCTION!")]
    public static partial void WebSocketWithoutTls(ILogger logger);

    [LoggerMessage(EventId = 7, Level = LogLevel.Information, Message = "Server is ready")]
    public static partial void Ready(ILogger logger);

    [LoggerMessage(EventId = 8, Level = LogLevel.Information, Message = "Entering lame duck mode, stop accepting new clients")]
    public static partial void LameDuck(ILogger logger);

    [LoggerMessage(EventId = 9, Level = LogLevel.Information, Message = "Closing existing clients")]
    public static partial void ClosingClients(ILogger logger);

    [LoggerMessage(EventId = 10, Level = LogLevel.Information, Message = "Initiating Shutdown...")]
    public static partial void ShuttingDown(ILogger logger);

    [LoggerMessage(EventId = 15, Level = LogLevel.Error, Message = "No stream was closed within {Seconds} seconds; the remaining streams are recovered at the next start")]
    public static partial void StreamsLeftOpen(ILogger logger, double seconds);

    [LoggerMessage(EventId = 11, Level = LogLevel.Information, Message = "Server Exiting..")]
    public static partial void Exiting(ILogger logger);

    [LoggerMessage(EventId = 12, Level = LogLevel.Information, Message = "{Change}")]
    public static partial void Reloaded(ILogger logger, string change);

    [LoggerMessage(EventId = 13, Level = LogLevel.Information, Message = "Closed {Count} connections to fall within max_connections")]
    public static partial void ClosedSurplus(ILogger logger, int count);

    [LoggerMessage(EventId = 16, Level = LogLevel.Error, Message = "Request {Subject} failed")]
    public static partial void ServiceFailed(ILogger logger, string subject, Exception error);

    [LoggerMessage(EventId = 14, Level = LogLevel.Error, Message = "Temporary client accept error: {Problem}")]
    public static partial void AcceptFailed(ILogger logger, string problem);

    [LoggerMessage(EventId = 29, Level = LogLevel.Warning, Message = "{Warning}")]
    public static partial void OptionsWarning(ILogger logger, string warning);

    [LoggerMessage(EventId = 20, Level = LogLevel.Warning, Message = "Streams of account {Account} stay on the disk: {Problem}")]
    public static partial void StreamsWithoutAccount(ILogger logger, string account, string problem);

    [LoggerMessage(EventId = 21, Level = LogLevel.Error, Message = "{Message} - {Account} - {Problem}")]
    public static partial void ClaimsRefused(ILogger logger, string message, string account, string problem);

    [LoggerMessage(EventId = 22, Level = LogLevel.Debug, Message = "{Message} - {Account}")]
    public static partial void ClaimsDone(ILogger logger, string message, string account);

    // nats-server's sentence, and what to do about it.
    [LoggerMessage(EventId = 24, Level = LogLevel.Warning, Message = "Temporary storage directory used, data could be lost on system reboot: {Folder}. Choose a folder with {Option}")]
    public static partial void TemporaryStore(ILogger logger, string folder, string option);

    [LoggerMessage(EventId = 23, Level = LogLevel.Warning, Message = "Request {Subject} dropped: too many requests are waiting")]
    public static partial void RequestDropped(ILogger logger, string subject);
}
