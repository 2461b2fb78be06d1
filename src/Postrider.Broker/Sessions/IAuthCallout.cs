using Postrider.Broker.Accounts;
using Postrider.Credentials;

namespace Postrider.Broker.Sessions;

/// <summary>Asks the service of an account who a client is.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface IAuthCallout
{
    /// <summary>Asks, and checks everything of the answer but whether its user may be let in.</summary>
    /// <param name="question">The client.</param>
    /// <param name="account">The account of the service.</param>
    /// <param name="subject">The key that the request is about: the issuer of answers, or the account's.</param>
    /// <param name="curveKey">The service's curve key; null for none.</param>
    /// <returns>The answer, with the token of a user, and whether it was encrypted.</returns>
    /// <exception cref="AuthCalloutException">There was none in time, it refuses the client, or it is not valid.</exception>
    Task<(AuthorizationResponseClaims Answer, UserClaims User, bool WasEncrypted)> AskAsync(CalloutRequest question, Account account, string subject, string? curveKey);
}
