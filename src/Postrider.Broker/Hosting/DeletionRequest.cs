using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.Broker.Hosting;

/// <summary>Reads a request to delete accounts. Source: nats-server, account resolvers.</summary>
internal static class DeletionRequest
{
    /// <summary>Reads a request.</summary>
    /// <param name="token">The request, a token.</param>
    /// <param name="mode">Whether accounts may be deleted.</param>
    /// <param name="isOperatorKey">Returns whether a key is the operator's or one of its signing keys.</param>
    /// <param name="systemAccount">The system account, which cannot be deleted.</param>
    /// <returns>The requester, the accounts, and why the request is rejected, or null.</returns>
    public static (string Subject, IReadOnlyList<string> Accounts, string? Problem) Read(string token, DeleteMode mode, Func<string, bool> isOperatorKey, string systemAccount)
    {
        AccountDeletionClaims claims;
        try
        {
            claims = NatsJwt.DecodeAnyTime<AccountDeletionClaims>(token);
        }
        catch (CredentialsException error)
        {
            return ("", [], error.Message);
        }
        var problem = mode == DeleteMode.Refuse ? "delete must be enabled in server config"
            : !claims.IsSelfSigned ? "not self signed"
            : !isOperatorKey(claims.Subject) ? "not trusted"
            : claims.FindProblems().Count > 0 ? "malformed request"
            : claims.Accounts.Contains(systemAccount, StringComparer.Ordinal) ? "not allowed to delete system account"
            : null;
        return (claims.Subject, claims.Accounts, problem);
    }
}
