using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Hosting;

/// <summary>Log lines of the broker's life, in the reference's words: scripts wait for them.</summary>
internal static partial class BrokerLog
{
    [LoggerMessage(Level = LogLevel.Information, Message = "Starting {Program}")]
    public static partial void Starting(ILogger logger, string program);

    [LoggerMessage(Level = LogLevel.Information, Message = "  Version:  {Version}")]
    public static partial void Version(ILogger logger, string version);

    [LoggerMessage(Level = LogLevel.Information, Message = "  Name:     {Name}")]
    public static partial void Name(ILogger logger, string name);

    [LoggerMessage(Level = LogLevel.Information, Message = "  ID:       {Id}")]
    public static partial void Id(ILogger logger, string id);

    [LoggerMessage(Level = LogLevel.Information, Message = "Using configuration file: {File} ({Digest})")]
    public static partial void Configuration(ILogger logger, string file, string digest);

    [LoggerMessage(Level = LogLevel.Information, Message = "Listening for client connections on {EndPoint}")]
    public static partial void Listening(ILogger logger, string endPoint);

    [LoggerMessage(Level = LogLevel.Information, Message = "Server is ready")]
    public static partial void Ready(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "Entering lame duck mode, stop accepting new clients")]
    public static partial void LameDuck(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "Closing existing clients")]
    public static partial void ClosingClients(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "Initiating Shutdown...")]
    public static partial void ShuttingDown(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "Server Exiting..")]
    public static partial void Exiting(ILogger logger);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Change}")]
    public static partial void Reloaded(ILogger logger, string change);

    [LoggerMessage(Level = LogLevel.Information, Message = "Closed {Count} connections to fall within max_connections")]
    public static partial void ClosedSurplus(ILogger logger, int count);

    [LoggerMessage(Level = LogLevel.Error, Message = "Temporary client accept error: {Problem}")]
    public static partial void AcceptFailed(ILogger logger, string problem);
}
