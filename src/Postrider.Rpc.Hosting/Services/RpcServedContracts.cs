using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Rpc.Hosting.Services;

namespace Postrider.Rpc.Hosting;

/// <summary>The services that the servers of a container serve. Used by servers, such as <c>MapRpc&lt;TService&gt;()</c>.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public static class RpcServedContracts
{
    /// <summary>All contracts that were added, with the interceptors of the container.</summary>
    /// <param name="services">The container.</param>
    /// <returns>The services to serve.</returns>
    /// <exception cref="InvalidOperationException">None was added.</exception>
    public static IReadOnlyList<RpcService> All(IServiceProvider services) => Registrations(services).Serve(services);

    /// <summary>One contract, with the interceptors of the container.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="inRequests">Whether calls have a scope, as requests of ASP.NET Core do (<see cref="CallContext.Services"/>), which
    /// then provides the implementation.</param>
    /// <returns>The service to serve.</returns>
    /// <exception cref="InvalidOperationException">It was not added.</exception>
    public static RpcService Get<TService>(IServiceProvider services, bool inRequests = false)
        where TService : class
        => Registrations(services).Serve<TService>(services, inRequests);

    /// <summary>The codecs of the container, the default first.</summary>
    /// <param name="services">The container.</param>
    /// <returns>The codecs.</returns>
    /// <exception cref="InvalidOperationException">None was added.</exception>
    public static IReadOnlyList<RpcCodec> Codecs(IServiceProvider services)
        => services.GetServices<RpcCodec>().ToArray() is { Length: > 0 } codecs
            ? codecs
            : throw new InvalidOperationException("There is no RPC codec. Add one, for example AddRpcCodec(new RpcJsonCodec(MessagesJson.Default)).");

    /// <summary>Rejects contracts whose <c>[Authorize]</c> nothing would check, for servers outside ASP.NET Core.</summary>
    /// <param name="services">The container.</param>
    /// <param name="served">The services that the server is about to serve.</param>
    /// <exception cref="InvalidOperationException">An operation has the attribute, and <c>AddRpcAuthorization</c> was not called.</exception>
    public static void RequireAuthorizationChecks(IServiceProvider services, IReadOnlyList<RpcService> served)
    {
        if (services.GetService<IRpcAuthorizationChecks>() is not null)
            return;
        foreach (var operation in served.SelectMany(static service => service.Operations))
        {
            // Compared by name: this package must not depend on ASP.NET Core.
            if (operation.Operation.Metadata.Any(static metadata => metadata.GetType().FullName == "Microsoft.AspNetCore.Authorization.AuthorizeAttribute"))
            {
                throw new InvalidOperationException(
                    $"{operation.Operation.Path} has [Authorize], which nothing checks over a socket. Call AddRpcAuthorization() of Postrider.Rpc.Server, and AddRpcAuthentication<TAuthenticator>() or client certificates to know the callers.");
            }
        }
    }

    private static RpcRegistrations Registrations(IServiceProvider services) => services.GetService<RpcRegistrations>() ?? new RpcRegistrations();
}
