using System.Net;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Http;

/// <summary>Log lines of the monitoring server, with nats-server's texts.</summary>
internal static partial class MonitoringLog
{
    [LoggerMessage(EventId = 401, Level = LogLevel.Information, Message = "Starting {Scheme} monitor on {EndPoint}")]
    internal static partial void Started(ILogger logger, string scheme, IPEndPoint endPoint);

    [LoggerMessage(EventId = 402, Level = LogLevel.Error, Message = "Monitoring page {Page} failed")]
    internal static partial void Failed(ILogger logger, string page, Exception error);

    [LoggerMessage(EventId = 403, Level = LogLevel.Debug, Message = "TLS handshake error from {EndPoint}: {Problem}")]
    internal static partial void HandshakeFailed(ILogger logger, EndPoint? endPoint, string problem);
}
