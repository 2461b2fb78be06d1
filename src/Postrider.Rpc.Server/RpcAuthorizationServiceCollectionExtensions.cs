using Microsoft.Extensions.DependencyInjection;
using Postrider.Rpc.Hosting;

namespace Postrider.Rpc.Server;

/// <summary>Applies <c>[Authorize]</c> to calls over every transport.</summary>
public static class RpcAuthorizationServiceCollectionExtensions
{
    /// <summary>Checks <c>[Authorize]</c> and <c>[AllowAnonymous]</c> of contracts and their methods for every call that the container's
    /// servers serve: sockets, WebSockets, NATS and in-process calls as well as HTTP, where ASP.NET Core checks them too. The caller is
    /// <see cref="CallContext.User"/>, which the transport or an interceptor added before sets.</summary>
    /// <param name="services">The service collection. Policies come from <c>AddAuthorization</c>.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>A call without an authenticated caller ends with <see cref="RpcStatus.Unauthenticated"/>, one whose caller does not meet the
    /// policy with <see cref="RpcStatus.Forbidden"/>. Policies see the <see cref="CallContext"/> as their resource.</remarks>
    public static IServiceCollection AddRpcAuthorization(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddAuthorization();
        services.AddSingleton<IRpcAuthorizationChecks>(static provider => provider.GetRequiredService<AuthorizationInterceptor>());
        return services.AddRpcServerInterceptor<AuthorizationInterceptor>();
    }
}
