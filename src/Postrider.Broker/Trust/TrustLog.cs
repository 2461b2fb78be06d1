using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Trust;

/// <summary>The log messages of operator mode, in nats-server's words.</summary>
internal static partial class TrustLog
{
    [LoggerMessage(EventId = 401, Level = LogLevel.Information, Message = "Trusted Operators")]
    public static partial void Operators(ILogger logger);

    [LoggerMessage(EventId = 402, Level = LogLevel.Information, Message = "  System  : {System}")]
    public static partial void OperatorSystem(ILogger logger, string system);

    [LoggerMessage(EventId = 403, Level = LogLevel.Information, Message = "  Operator: {Name}")]
    public static partial void OperatorName(ILogger logger, string name);

    [LoggerMessage(EventId = 404, Level = LogLevel.Information, Message = "  Issued  : {Issued}")]
    public static partial void OperatorIssued(ILogger logger, string issued);

    [LoggerMessage(EventId = 405, Level = LogLevel.Information, Message = "  Expires : {Expires}")]
    public static partial void OperatorExpires(ILogger logger, string expires);

    [LoggerMessage(EventId = 406, Level = LogLevel.Warning, Message = "Trusted Operators should utilize a System Account")]
    public static partial void NoSystemAccount(ILogger logger);

    [LoggerMessage(EventId = 407, Level = LogLevel.Warning, Message = "Account [{Account}] has validation issues:")]
    public static partial void AccountIssues(ILogger logger, string account);

    [LoggerMessage(EventId = 408, Level = LogLevel.Warning, Message = "  - {Issue}")]
    public static partial void Issue(ILogger logger, string issue);

    [LoggerMessage(EventId = 409, Level = LogLevel.Warning, Message = "Account fetch failed: {Problem}")]
    public static partial void FetchFailed(ILogger logger, string problem);

    [LoggerMessage(EventId = 410, Level = LogLevel.Debug, Message = "Updating account claims: {Account}/{Name}")]
    public static partial void Updating(ILogger logger, string account, string name);

    [LoggerMessage(EventId = 411, Level = LogLevel.Error, Message = "Can't locate account [{Exporter}] for an import of {Account}: {Problem}")]
    public static partial void NoExporter(ILogger logger, string exporter, string account, string problem);

    [LoggerMessage(EventId = 418, Level = LogLevel.Error, Message = "Error adding import {Subject} to account [{Account}]: {Problem}")]
    public static partial void ImportRefused(ILogger logger, string subject, string account, string problem);

    [LoggerMessage(EventId = 412, Level = LogLevel.Information, Message = "Using bootstrapping system account")]
    public static partial void Bootstrapping(ILogger logger);

    [LoggerMessage(EventId = 413, Level = LogLevel.Information, Message = "System account fetched and updated")]
    public static partial void Bootstrapped(ILogger logger);

    [LoggerMessage(EventId = 414, Level = LogLevel.Information, Message = "Reloaded: deleting account [removed]: {Account}")]
    public static partial void Deleting(ILogger logger, string account);

    [LoggerMessage(EventId = 415, Level = LogLevel.Error, Message = "DirResolver - Update for account {Account} resulted in error {Problem}")]
    public static partial void UpdateFailed(ILogger logger, string account, string problem);

    [LoggerMessage(EventId = 416, Level = LogLevel.Information, Message = "Managing all jwt in exclusive directory {Directory}")]
    public static partial void ManagingAll(ILogger logger, string directory);

    [LoggerMessage(EventId = 417, Level = LogLevel.Information, Message = "Managing some jwt in exclusive directory {Directory}")]
    public static partial void ManagingSome(ILogger logger, string directory);
}
