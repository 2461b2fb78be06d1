using System.Net;
using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>Authenticates connections with a token.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="accounts">The accounts.</param>
/// <param name="mode">Valid options of operator mode.</param>
/// <param name="systemAccount">The public key of the system account, whose users may always connect; null for none.</param>
/// <param name="time">The clock.</param>
internal sealed class TokenAuthenticator(TrustedAccounts accounts, OperatorModeOptions mode, string? systemAccount, TimeProvider time)
{
    private readonly UserTokenCheck _check = new(accounts.Operators, key => accounts.FindKnown(key)?.Claims, time);
    private readonly HashSet<string> _pinned = [.. mode.PinnedAccounts];

    /// <summary>The accounts.</summary>
    public TrustedAccounts Accounts => accounts;

    /// <summary>Finds the user of a connection, and looks up its account if it is unknown.</summary>
    /// <param name="request">The connection and its token.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <param name="mayDelegate">Whether the caller asks the authorization callout if the account has one: see <see cref="UserGrant.IsDelegated"/>.
    /// Otherwise such users are rejected.</param>
    /// <exception cref="UserTokenException">The connection is rejected; the message is for the log.</exception>
    public async ValueTask<TokenUser> AuthenticateAsync(UserTokenRequest request, CancellationToken ct, bool mayDelegate = false)
    {
        if (mode.DefaultSentinel is { } sentinel && !IsUserToken(request.Token)) request = request with { Token = sentinel };
        var user = _check.Read(request.Token);
        var key = user.Account!;
        if (_pinned.Count > 0 && !_pinned.Contains(key) && key != systemAccount) throw new UserTokenException($"Account {key} not listed as operator pinned account");
        try
        {
            var account = await accounts.FindAsync(key, ct).ConfigureAwait(false);
            var grant = _check.Check(user, account.Claims, request);
            return grant.IsDelegated && !mayDelegate ? throw new UserTokenException("Account delegates its users to an authorization callout") : new TokenUser(grant, account);
        }
        catch (AccountLookupException error)
        {
            throw new UserTokenException($"Account JWT lookup error: {error.Message}", error);
        }
    }

    /// <summary>Accepts a user that an authorization callout named.</summary>
    /// <param name="user">The user's claims, of a token whose signature was verified.</param>
    /// <param name="connectionType">The type of its connection.</param>
    /// <param name="address">Its address; null in the broker's own process.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="UserTokenException">The user may not connect; the message is for the log.</exception>
    public async ValueTask<TokenUser> AdmitAsync(UserClaims user, string connectionType, IPAddress? address, CancellationToken ct)
    {
        try
        {
            var account = await accounts.FindAsync(user.Account!, ct).ConfigureAwait(false);
            return new TokenUser(_check.Admit(user, account.Claims, connectionType, address), account);
        }
        catch (AccountLookupException error)
        {
            throw new UserTokenException($"Account JWT lookup error: {error.Message}", error);
        }
    }

    private static bool IsUserToken(string? token)
    {
        if (string.IsNullOrEmpty(token)) return false;
        try
        {
            NatsJwt.DecodeAnyTime<UserClaims>(token);
            return true;
        }
        catch (CredentialsException)
        {
            return false;
        }
    }
}
