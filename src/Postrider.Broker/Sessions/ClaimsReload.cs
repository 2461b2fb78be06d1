using Postrider.Broker.Accounts;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.Broker.Sessions;

/// <summary>Applies the changed token of an account to its open sessions.</summary>
/// <remarks>Clients are disconnected in the same cases and with the same errors as by nats-server. Source: nats-server, account resolvers.</remarks>
internal static class ClaimsReload
{
    /// <summary>Ends the sessions of an account that are no longer allowed, and applies the changes to the others.</summary>
    public static void Apply(SessionContext context, TrustedAccount account, AccountClaims before)
    {
        var claims = account.Claims;
        var max = account.Account.Definition.MaxConnections;
        var count = 0;
        // The youngest connections are closed first.
        foreach (var session in Of(context, account).OrderBy(static session => session.Id))
        {
            if (max >= 0 && count >= max)
            {
                const string Error = "maximum account active connections exceeded";
                SessionLog.Problem(context.Logger, session.Name, Error);
                session.End(ClosedState.MaxAccountConnectionsExceeded, Error);
                continue;
            }
            count++;
            Apply(session, before, claims);
        }
        context.ClaimsChanged?.Invoke(account, before);
    }

    /// <summary>Whether a token's user must be disconnected because of a changed token of its account.</summary>
    /// <param name="user">The user.</param>
    /// <param name="before">The account's previous token.</param>
    /// <param name="after">The account's token.</param>
    /// <param name="error">The error to send to the client, or null.</param>
    /// <returns>Why it must be disconnected; null when it may stay.</returns>
    public static ClosedState? ReasonToEnd(TokenUser user, AccountClaims before, AccountClaims after, out string? error)
    {
        var claims = user.Grant.User;
        error = null;
        if (after.IsRevoked(claims.Subject, claims.IssuedAt))
        {
            error = "User Authentication Revoked";
            return ClosedState.Revoked;
        }
        // Also a user whose role has changed: it reconnects with the new one.
        var isSameRole = string.IsNullOrEmpty(claims.IssuerAccount) || IsSameRole(before.FindSigner(claims.Issuer), after.FindSigner(claims.Issuer));
        return isSameRole ? null : ClosedState.AuthenticationViolation;
    }

    /// <summary>Applies the changed token of its account to one session.</summary>
    public static void Apply(ClientSession session, AccountClaims before, AccountClaims after)
    {
        if (session.State.TokenUser is not { } user) return;
        if (after.Limits.DisallowBearer && user.Grant.IsBearer)
        {
            SessionReload.Dismiss(session);
            return;
        }
        if (ReasonToEnd(user, before, after, out var error) is { } end)
        {
            session.End(end, error);
            return;
        }
        var permissions = user.Grant.TakesDefaults ? ClaimPermissionOptions.Create(after.DefaultPermissions) : user.Grant.Permissions;
        Adopt(session, user with { Grant = user.Grant with { Account = after, Permissions = permissions } });
    }

    /// <summary>Ends the sessions of an account whose token has expired.</summary>
    public static void Expire(SessionContext context, TrustedAccount account)
    {
        foreach (var session in Of(context, account)) Expire(session);
        context.ClaimsChanged?.Invoke(account, null);
    }

    /// <summary>Ends a session whose account's token has expired.</summary>
    public static void Expire(ClientSession session) => session.End(ClosedState.AuthenticationExpired, "Account Authentication Expired");

    /// <summary>Gives a session the permissions that its token grants now.</summary>
    public static void Adopt(ClientSession session, TokenUser found)
    {
        var user = found.ToUser();
        if (SessionReload.MaxSubscriptionsOf(user, user.Account) is >= 0 and var max && session.Subscriptions.Count >= max)
        {
            const string Error = "maximum subscriptions exceeded";
            SessionLog.Problem(session.Context.Logger, session.Name, Error);
            session.End(ClosedState.MaxSubscriptionsExceeded, Error);
            return;
        }
        session.State.TokenUser = found;
        session.RequestReload(new PendingReload(user));
        SessionReload.Sweep(session, user);
    }

    private static IEnumerable<ClientSession> Of(SessionContext context, TrustedAccount account)
        => context.Sessions.Open.Where(session => ReferenceEquals(session.State.TokenUser?.Account, account));

    private static bool IsSameRole(AccountSigningKey? before, AccountSigningKey? after)
        => after is not null && before is not null && IsSameScope(before.Scope, after.Scope);

    // Records compare lists by reference: the text shows whether a scope changed.
    private static bool IsSameScope(UserScope? before, UserScope? after)
        => (before is null && after is null) || (before is not null && after is not null && ScopeText.Of(before) == ScopeText.Of(after));
}
