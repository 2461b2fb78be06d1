using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Routes;

/// <summary>The log messages of routes, in nats-server's words.</summary>
internal static partial class RouteLog
{
    [LoggerMessage(EventId = 651, Level = LogLevel.Information, Message = "Cluster name is {Name}")]
    public static partial void Name(ILogger logger, string name);

    [LoggerMessage(EventId = 652, Level = LogLevel.Warning, Message = "Cluster name was dynamically generated, consider setting one")]
    public static partial void NameIsGenerated(ILogger logger);

    [LoggerMessage(EventId = 653, Level = LogLevel.Information, Message = "Listening for route connections on {EndPoint}")]
    public static partial void Listening(ILogger logger, string endPoint);

    [LoggerMessage(EventId = 654, Level = LogLevel.Information, Message = "{Session} - Route connection created")]
    public static partial void Created(ILogger logger, string session);

    [LoggerMessage(EventId = 655, Level = LogLevel.Information, Message = "{Session} - Router connection closed: {Reason}")]
    public static partial void Closed(ILogger logger, string session, string reason);

    [LoggerMessage(EventId = 656, Level = LogLevel.Error, Message = "{Session} - {Problem}")]
    public static partial void Problem(ILogger logger, string session, string problem);

    [LoggerMessage(EventId = 657, Level = LogLevel.Error, Message = "{Session} - Route Error {Text}")]
    public static partial void PeerError(ILogger logger, string session, string text);

    [LoggerMessage(EventId = 658, Level = LogLevel.Error, Message = "Error trying to connect to route (attempt {Attempt}) {Address}: {Problem}")]
    public static partial void ConnectFailed(ILogger logger, int attempt, string address, string problem);

    [LoggerMessage(EventId = 659, Level = LogLevel.Debug, Message = "Trying to connect to route on {Address}")]
    public static partial void Connecting(ILogger logger, string address);

    [LoggerMessage(EventId = 660, Level = LogLevel.Debug, Message = "{Session} - {Detail}")]
    public static partial void Detail(ILogger logger, string session, string detail);

    [LoggerMessage(EventId = 661, Level = LogLevel.Error, Message = "{Session} - internal error, connection closed")]
    public static partial void Fault(ILogger logger, string session, Exception? fault);

    [LoggerMessage(EventId = 662, Level = LogLevel.Information, Message = "Cluster name updated to {Name}")]
    public static partial void NameChanged(ILogger logger, string name);
}
