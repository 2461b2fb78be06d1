using Postrider.Broker.Accounts;
using Postrider.Credentials;

namespace Postrider.Broker.Sessions;

/// <summary>Asks the service of an account to authenticate a client.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface IAuthCallout
{
    /// <summary>Sends the request, and checks everything in the response except whether its user may connect.</summary>
    /// <param name="question">The content of the request.</param>
    /// <param name="account">The account of the service.</param>
    /// <param name="subject">The key that the request is about: the issuer of responses, or the account's.</param>
    /// <param name="curveKey">The service's curve key; null for none.</param>
    /// <returns>The response, with the token of a user, and whether it was encrypted.</returns>
    /// <exception cref="AuthCalloutException">There was no response in time, it rejects the client, or it is invalid.</exception>
    Task<(AuthorizationResponseClaims Answer, UserClaims User, bool WasEncrypted)> AskAsync(CalloutRequest question, Account account, string subject, string? curveKey);
}
