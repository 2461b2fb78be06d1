using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Leafs;

/// <summary>The log messages of leaf node connections, in nats-server's words.</summary>
internal static partial class LeafLog
{
    [LoggerMessage(EventId = 601, Level = LogLevel.Information, Message = "Listening for leafnode connections on {EndPoint}")]
    public static partial void Listening(ILogger logger, string endPoint);

    [LoggerMessage(EventId = 602, Level = LogLevel.Information, Message = "{Session} - Leafnode connection created{Account}")]
    public static partial void Created(ILogger logger, string session, string account);

    [LoggerMessage(EventId = 603, Level = LogLevel.Information, Message = "{Session} - Leafnode connection closed: {Reason}{Account}")]
    public static partial void Closed(ILogger logger, string session, string reason, string account);

    [LoggerMessage(EventId = 604, Level = LogLevel.Error, Message = "{Session} - {Problem}")]
    public static partial void Problem(ILogger logger, string session, string problem);

    [LoggerMessage(EventId = 605, Level = LogLevel.Error, Message = "{Session} - Leafnode Error {Text}")]
    public static partial void PeerError(ILogger logger, string session, string text);

    [LoggerMessage(EventId = 606, Level = LogLevel.Error, Message = "Error trying to connect as leafnode to remote server {Remote} (attempt {Attempt}): {Problem}")]
    public static partial void ConnectFailed(ILogger logger, string remote, int attempt, string problem);

    [LoggerMessage(EventId = 607, Level = LogLevel.Debug, Message = "Trying to connect as leafnode to remote server on {Remote}")]
    public static partial void Connecting(ILogger logger, string remote);

    [LoggerMessage(EventId = 608, Level = LogLevel.Information, Message = "{Session} - JetStream using domains: local {Local}, remote {Remote}")]
    private static partial void Domains(ILogger logger, string session, string local, string remote);

    /// <summary>The JetStream domains of both sides, unless there are none.</summary>
    public static void Domains(LeafSession session)
    {
        var (local, remote, logger) = (session.Context.Sessions.Info.Domain ?? "", session.Domain, session.Context.Logger);
        if (local.Length + remote.Length == 0) return;
        Domains(logger, session.Name, GoQuote.Quote(local), GoQuote.Quote(remote));
        if (local == remote) SameDomain(logger, session.Name, GoQuote.Quote(local));
    }

    [LoggerMessage(EventId = 614, Level = LogLevel.Warning, Message = "{Session} - Both servers have the JetStream domain {Domain}: neither reaches the other one's streams. Give each server a domain of its own.")]
    private static partial void SameDomain(ILogger logger, string session, string domain);

    [LoggerMessage(EventId = 609, Level = LogLevel.Warning, Message = "{Session} - Replacing connection from same server")]
    public static partial void Replacing(ILogger logger, string session);

    [LoggerMessage(EventId = 610, Level = LogLevel.Warning, Message = "TLS certificate chain and hostname of solicited leafnodes will not be verified. DO NOT USE IN PRODUCTION!")]
    public static partial void Insecure(ILogger logger);

    [LoggerMessage(EventId = 611, Level = LogLevel.Error, Message = "{Session} - internal error, connection closed")]
    public static partial void Fault(ILogger logger, string session, Exception? fault);

    [LoggerMessage(EventId = 613, Level = LogLevel.Error, Message = "Unable to lookup account {Account} for solicited leafnode connection")]
    public static partial void NoAccount(ILogger logger, string account);

    [LoggerMessage(EventId = 612, Level = LogLevel.Debug, Message = "{Session} - {Detail}")]
    public static partial void Detail(ILogger logger, string session, string detail);
}
