using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Brings changed options to an open session.</summary>
/// <remarks>Which clients are disconnected with which error is nats-server's behaviour. Source: nats-server, observed over SIGHUP.</remarks>
internal static class SessionReload
{
    /// <summary>Ends a session that may not stay; lets the others take over what changed. From any thread.</summary>
    /// <param name="session">An open session.</param>
    /// <param name="before">What decided who it is; the context has the new one.</param>
    public static void Apply(ClientSession session, Authenticator before)
    {
        var authenticator = session.Context.Authenticator;
        var current = session.State.User;
        if (current is null && before.IsRequired)
        {
            // Still expected to say who it is; the new authenticator will be asked.
            session.RequestReload(new PendingReload(null));
            return;
        }
        if (current?.Name is { } name && !authenticator.IsKnownUser(name))
        {
            session.End(ClosedState.ClientClosed, null);
            return;
        }
        if (authenticator.Renew(current, session.State.Connect ?? new ConnectInfo(), before) is not { } user)
        {
            Dismiss(session);
            return;
        }
        session.RequestReload(new PendingReload(current is null ? null : user));
        if (current is not null) Sweep(session, user);
    }

    /// <summary>Removes subscriptions that the user is no longer allowed to have, and updates the conditions of the others.</summary>
    public static void Sweep(ClientSession session, User user)
    {
        var rules = user.Permissions?.Subscribe;
        foreach (var subscription in session.Subscriptions.All())
        {
            if (rules?.AllowsSubscribe(subscription.SubjectBytes, subscription.QueueGroup) == false) Revoke(session, subscription);
            else subscription.ReplaceConditions(DeliveryConditions.HasDeniedSubjects | DeliveryConditions.TracksReplies, ConditionsOf(subscription, user, rules));
        }
    }

    private static void Dismiss(ClientSession session)
    {
        var name = session.State.Connect?.User;
        SessionLog.Problem(session.Context.Logger, session.Name, "authentication error" + (string.IsNullOrEmpty(name) ? "" : $" - User {GoQuote.Quote(name)}"));
        session.End(ClosedState.AuthenticationViolation, "Authorization Violation");
    }

    private static void Revoke(ClientSession session, Subscription subscription)
    {
        if (!session.Subscriptions.Remove(subscription)) return;
        session.Detach(subscription);
        var subject = GoQuote.Quote(Subject.ToText(subscription.SubjectBytes));
        var group = subscription.QueueGroup.Length == 0 ? "" : $" using queue {GoQuote.Quote(Subject.ToText(subscription.QueueGroup))}";
        var sid = GoQuote.Quote(Subject.ToText(subscription.Sid));
        session.Connection.Outbox.Send(Encoding.UTF8.GetBytes($"-ERR 'Permissions Violation for Subscription to {subject}{group} (sid {sid})'\r\n"));
        SessionLog.Removed(session.Context.Logger, session.Name, subject, sid);
    }

    private static DeliveryConditions ConditionsOf(Subscription subscription, User user, SubjectPermissionSet? rules)
        => (rules is { HasDenied: true } && rules.DeniesSomeOf(subscription.SubjectBytes) ? DeliveryConditions.HasDeniedSubjects : DeliveryConditions.None)
            | (user.Permissions?.Responses is null ? DeliveryConditions.None : DeliveryConditions.TracksReplies);
}
