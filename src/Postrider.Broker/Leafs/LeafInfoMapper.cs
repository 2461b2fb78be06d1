using Postrider.Broker.Monitoring;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>Reads the state of a leaf node connection for the list of connections and for events. From any thread.</summary>
internal static class LeafInfoMapper
{
    /// <summary>The connection's state now.</summary>
    /// <param name="session">The connection.</param>
    /// <param name="withSubscriptions">Whether each of the other server's subscriptions is listed.</param>
    public static ConnectionInfo Read(LeafSession session, bool withSubscriptions) => Read(session, session.ConnectInfo, withSubscriptions);

    /// <summary>The connection in events.</summary>
    public static EventConnection ReadForEvent(LeafSession session) => new(Read(session, withSubscriptions: false), UserOf(session, session.ConnectInfo), session.ConnectInfo?.Jwt);

    /// <summary>A connection that was rejected, in events: it belongs to no account.</summary>
    /// <param name="session">The connection.</param>
    /// <param name="connect">Its CONNECT.</param>
    public static EventConnection ReadRejected(LeafSession session, LeafConnectInfo connect)
        => new(Read(session, connect, withSubscriptions: false) with { Account = "N/A", AccountTag = null }, UserOf(session, connect), connect.Jwt);

    /// <summary>The last state of a closed connection.</summary>
    /// <param name="session">The connection, with its subscriptions.</param>
    /// <param name="end">Why it was closed.</param>
    public static ConnectionInfo ReadLast(LeafSession session, ClosedState end)
        => Read(session, session.Context.Sessions.Sessions.MayRemember(session.Subscriptions.All())) with { StoppedAt = session.Context.Time.GetUtcNow(), CloseReason = end.ToText() };

    /// <summary>Keeps the last state of a closed connection, and publishes its end if it was announced.</summary>
    /// <param name="session">The connection, which no longer counts.</param>
    /// <param name="last">Its last state.</param>
    public static void Ended(LeafSession session, ConnectionInfo last)
    {
        var context = session.Context.Sessions;
        context.Sessions.Remember(last, context.Options.MaxClosedClients);
        if (session.IsRegistered) context.Events?.Disconnected(session.Account, () => ReadForEvent(session) with { Info = last });
    }

    private static ConnectionInfo Read(LeafSession session, LeafConnectInfo? connect, bool withSubscriptions)
    {
        var time = session.Context.Time;
        return new ConnectionInfo
        {
            Id = session.Id,
            Kind = "Leafnode",
            Type = "",
            RemoteAddress = session.RemoteAddress ?? "",
            RemotePort = session.RemotePort,
            StartedAt = session.StartedAt,
            LastActivityAt = time.GetUtcNow() - time.GetElapsedTime(session.LastActivity),
            RoundTrip = session.RoundTrip,
            PendingBytes = session.Outbox.PendingBytes,
            InMessages = session.InMessages,
            InBytes = session.InBytes,
            OutMessages = session.Outbox.Messages,
            OutBytes = session.Outbox.MessageBytes,
            Stalls = session.Outbox.Stalls,
            SubscriptionCount = session.Subscriptions.Count,
            Name = connect?.Name,
            Version = connect?.Version,
            User = UserOf(session, connect),
            Account = session.Account.Name,
            AccountTag = session.Account.NameTag,
            Jwt = SessionState.ShownOf(session.Token, connect?.Jwt),
            IssuerKey = SessionState.IssuerOf(session.Token, session.User, connect?.Nkey),
            Tags = session.Token?.Grant.User.Tags,
            Subscriptions = withSubscriptions ? ReadSubscriptions(session) : null,
        }.With(session.Tls);
    }

    private static string? UserOf(LeafSession session, LeafConnectInfo? connect)
        => connect is null ? null : SessionState.NameIn(LeafAuthenticator.ConnectOf(connect), session.Token?.Grant.User.Subject);

    private static SubscriptionState[] ReadSubscriptions(LeafSession session) => [.. session.Subscriptions.All().Select(subscription =>
    {
        var (subject, queue) = (Subject.ToText(subscription.SubjectBytes), subscription.QueueGroup.Length == 0 ? null : Subject.ToText(subscription.QueueGroup));
        return new SubscriptionState
        {
            Account = session.Account.Name,
            AccountTag = session.Account.NameTag,
            Subject = subject,
            Queue = queue,
            // Other servers do not number their subscriptions.
            Sid = queue is null ? subject : $"{subject} {queue}",
            Messages = subscription.Delivered,
            Max = 0,
            ConnectionId = session.Id,
        };
    })];
}
