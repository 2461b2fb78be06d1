using Microsoft.Extensions.Logging;

namespace Postrider.Broker.JetStream.Logging;

/// <summary>The log messages of consumers.</summary>
internal static partial class ConsumerLog
{
    [LoggerMessage(EventId = 301, Level = LogLevel.Warning, Message = "JetStream consumer '{Account} > {Stream} > {Consumer}' not restored: {Problem}")]
    public static partial void NotRestored(ILogger logger, string account, string stream, string consumer, string problem);

    [LoggerMessage(EventId = 302, Level = LogLevel.Warning, Message = "JetStream consumer '{Account} > {Stream} > {Consumer}' delivered sequence {Delivered} past last stream sequence of {Last}")]
    public static partial void AheadOfStream(ILogger logger, string account, string stream, string consumer, ulong delivered, ulong last);

    [LoggerMessage(EventId = 303, Level = LogLevel.Error, Message = "JetStream consumer '{Account} > {Stream} > {Consumer}' could not write its state: {Problem}")]
    public static partial void NotWritten(ILogger logger, string account, string stream, string consumer, string problem);

    [LoggerMessage(EventId = 305, Level = LogLevel.Warning, Message = "JetStream consumer '{Account} > {Stream} > {Consumer}': {Note}")]
    public static partial void Restored(ILogger logger, string account, string stream, string consumer, string note);

    [LoggerMessage(EventId = 304, Level = LogLevel.Error, Message = "JetStream consumer '{Account} > {Stream} > {Consumer}' failed")]
    public static partial void Failed(ILogger logger, Exception error, string account, string stream, string consumer);
}
