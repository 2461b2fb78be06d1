using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Applies changed options to an open session.</summary>
/// <remarks>Clients are disconnected in the same cases and with the same errors as by nats-server. Source: observed over SIGHUP.</remarks>
internal static class SessionReload
{
    /// <summary>Ends a session that is no longer allowed, or applies the changes to it. From any thread.</summary>
    /// <param name="session">An open session.</param>
    /// <param name="before">The previous authenticator; the context has the new one.</param>
    public static void Apply(ClientSession session, Authenticator before)
    {
        if (session.Context.Tokens is { } tokens)
        {
            session.RequestReload(new PendingReload(null));
            _ = TokenConnect.RecheckAsync(session, tokens);
            return;
        }
        var authenticator = session.Authenticator;
        var current = session.State.User;
        if (current is null && before.IsRequired)
        {
            // The client has not authenticated yet: the new authenticator will check it.
            session.RequestReload(new PendingReload(null));
            return;
        }
        if (current is { IsFromCallout: true })
        {
            // The client reconnects and is checked by the new rules, unless nothing changed.
            if (CalloutConnect.IsStillValid(current, before, authenticator, session.Context.Accounts)) session.RequestReload(new PendingReload(null));
            else session.End(ClosedState.ClientClosed, null);
            return;
        }
        if (current?.Name is { } name && !authenticator.IsKnownUser(name))
        {
            session.End(ClosedState.ClientClosed, null);
            return;
        }
        if (authenticator.Renew(current, session.CreateAuthenticationRequest(session.State.Connect ?? new ConnectInfo()), before) is not { } user)
        {
            Dismiss(session);
            return;
        }
        if (current is not null && !ReferenceEquals(user.Account, session.State.Account))
        {
            session.End(ClosedState.ClientClosed, null);
            return;
        }
        if (user.Account.Definition.MaxSubscriptions is >= 0 and var max && session.Subscriptions.Count >= max)
        {
            const string Error = "maximum subscriptions exceeded";
            SessionLog.Problem(session.Context.Logger, session.Name, Error);
            session.End(ClosedState.MaxSubscriptionsExceeded, Error);
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
            else Replace(session, subscription, ConditionsOf(subscription, user, rules));
        }
    }

    /// <summary>Applies changed imports of its account to an open session.</summary>
    public static void RefreshImports(ClientSession session)
    {
        foreach (var subscription in session.Subscriptions.All()) session.Import(subscription);
    }

    /// <summary>The lower limit of a user and its account in bytes; -1 for none, and below that for no message at all.</summary>
    public static int MaxPayloadOf(User? user, Account account) => SessionContext.Lower(user?.MaxPayloadBytes ?? -1, account.Definition.MaxPayloadBytes);

    /// <summary>The lower limit of a user and its account; -1 for none.</summary>
    public static int MaxSubscriptionsOf(User? user, Account account) => SessionContext.Lower(user?.MaxSubscriptions ?? -1, account.Definition.MaxSubscriptions);

    /// <summary>Ends a session that is no longer allowed.</summary>
    public static void Dismiss(ClientSession session)
    {
        SessionLog.Problem(session.Context.Logger, session.Name, "authentication error" + ControlFrameHandler.Describe(session.State.Connect ?? new ConnectInfo()));
        session.Context.Events?.AuthenticationFailed(session.State.Account, ClosedState.AuthenticationViolation, () => SessionInfoMapper.ReadForEvent(session));
        session.End(ClosedState.AuthenticationViolation, "Authorization Violation");
    }

    private static void Replace(ClientSession session, Subscription subscription, DeliveryConditions conditions)
    {
        const DeliveryConditions Changing = DeliveryConditions.HasDeniedSubjects | DeliveryConditions.TracksReplies;
        subscription.ReplaceConditions(Changing, conditions);
        session.Imported?.ReplaceConditions(subscription, Changing, conditions);
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
