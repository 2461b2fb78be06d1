using System.Security.Claims;

namespace Postrider.Rpc.Hosting;

/// <summary>Authenticates the caller, for transports that do not: from headers such as <c>authorization</c>, or from the address.</summary>
/// <remarks>Add it with <c>AddRpcAuthentication</c>. Thread-safe.</remarks>
public abstract class RpcAuthenticator
{
    /// <summary>Authenticates the caller.</summary>
    /// <param name="context">The call; <see cref="CallContext.User"/> is null, or the caller that the transport has determined.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The caller; null to leave the caller unknown. Throw <see cref="RpcException"/> with
    /// <see cref="RpcStatus.Unauthenticated"/> for credentials that are wrong.</returns>
    public abstract ValueTask<ClaimsPrincipal?> AuthenticateAsync(CallContext context, CancellationToken ct);
}
