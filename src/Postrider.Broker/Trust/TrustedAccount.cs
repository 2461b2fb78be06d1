using Postrider.Broker.Accounts;
using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>An account of the broker that is described by a token.</summary>
/// <remarks>Thread-safe: claims are replaced as a whole.</remarks>
internal sealed class TrustedAccount(Account account, AccountClaims claims, string token)
{
    private TokenVersion _version = new(claims, token);

    /// <summary>The account.</summary>
    public Account Account { get; } = account;

    /// <summary>The current claims.</summary>
    public AccountClaims Claims => Version.Claims;

    /// <summary>The token; empty for the system account as long as its token was not found.</summary>
    public string Token => Version.Token;

    /// <summary>The current token and its claims.</summary>
    public TokenVersion Version => Volatile.Read(ref _version);

    /// <summary>Whether its token has expired, or it was deleted.</summary>
    public bool IsExpired { get; set; }

    /// <summary>When its token was last looked up, as a timestamp of the broker's clock.</summary>
    public long LookedUpAt { get; set; }

    /// <summary>Fires when its token expires; null for one that does not expire.</summary>
    public ITimer? Timer { get; set; }

    /// <summary>Replaces the token with a newer one.</summary>
    public void Update(AccountClaims changed, string changedToken) => Volatile.Write(ref _version, new TokenVersion(changed, changedToken));

    /// <summary>A token and its claims.</summary>
    internal sealed record TokenVersion(AccountClaims Claims, string Token);
}
