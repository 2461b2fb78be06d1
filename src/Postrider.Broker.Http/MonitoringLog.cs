using System.Net;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Http;

/// <summary>Log lines of the monitoring server, in nats-server's words.</summary>
internal static partial class MonitoringLog
{
    [LoggerMessage(EventId = 401, Level = LogLevel.Information, Message = "Starting http monitor on {EndPoint}")]
    internal static partial void Started(ILogger logger, IPEndPoint endPoint);

    [LoggerMessage(EventId = 402, Level = LogLevel.Error, Message = "Monitoring page {Page} failed")]
    internal static partial void Failed(ILogger logger, string page, Exception error);
}
