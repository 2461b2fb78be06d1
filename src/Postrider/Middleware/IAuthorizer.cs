using System.Security.Claims;

namespace Postrider.Middleware;

/// <summary>Decides whether a user may send a message; register any number in the container; all must allow the message.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
public interface IAuthorizer<in TMessage>
{
    /// <summary>Decides.</summary>
    /// <param name="message">The message.</param>
    /// <param name="user">The user; null if unknown.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Whether the message is allowed.</returns>
    ValueTask<bool> Allows(TMessage message, ClaimsPrincipal? user, CancellationToken ct);
}
