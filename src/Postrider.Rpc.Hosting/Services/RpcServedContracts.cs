using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Rpc.Hosting.Services;

namespace Postrider.Rpc.Hosting;

/// <summary>The services that the servers of a container serve. Used by servers, such as <c>MapRpc&lt;TService&gt;()</c>.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public static class RpcServedContracts
{
    /// <summary>All contracts that were added, with the interceptors of the container.</summary>
    /// <param name="services">The container.</param>
    /// <param name="transport">The transport of the server.</param>
    /// <returns>The services to serve.</returns>
    /// <exception cref="InvalidOperationException">None was added, or the transport cannot serve one of them.</exception>
    public static IReadOnlyList<RpcService> All(IServiceProvider services, RpcTransport transport)
    {
        ArgumentNullException.ThrowIfNull(transport);
        return Registrations(services).Serve(services, transport);
    }

    /// <summary>One contract, with the interceptors of the container.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="transport">The transport of the server; null for a channel of the process.</param>
    /// <returns>The service to serve.</returns>
    /// <exception cref="InvalidOperationException">It was not added, or the transport cannot serve it.</exception>
    public static RpcService Get<TService>(IServiceProvider services, RpcTransport? transport = null)
        where TService : class
        => Registrations(services).Serve<TService>(services, transport ?? RpcTransport.InProcess);

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
    /// <param name="transport">The transport of the server.</param>
    /// <exception cref="InvalidOperationException">An operation has the attribute, and <c>AddRpcAuthorization</c> was not called.</exception>
    public static void RequireAuthorizationChecks(IServiceProvider services, IReadOnlyList<RpcService> served, RpcTransport transport)
    {
        ArgumentNullException.ThrowIfNull(served);
        ArgumentNullException.ThrowIfNull(transport);
        if (services.GetService<IRpcAuthorizationChecks>() is not null)
            return;
        foreach (var operation in served.SelectMany(static service => service.Operations))
        {
            if (operation.Operation.Metadata.Any(IsAuthorization))
            {
                var certificates = transport.HasConnections ? " or client certificates" : "";
                throw new InvalidOperationException(
                    $"{operation.Operation.Path} has [Authorize], which nothing checks over {transport.Name}. Call AddRpcAuthorization() of Postrider.Rpc.Server, and AddRpcAuthentication<TAuthenticator>(){certificates} to know the callers.");
            }
        }
    }

    // Compared by name: this package must not depend on ASP.NET Core. Attributes of an application derive from AuthorizeAttribute, or implement the interfaces.
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A trimmed program may lose the interfaces; attributes that derive from AuthorizeAttribute are found nevertheless.")]
    private static bool IsAuthorization(object metadata)
    {
        for (var type = metadata.GetType(); type is not null; type = type.BaseType)
        {
            if (type.FullName == "Microsoft.AspNetCore.Authorization.AuthorizeAttribute")
                return true;
        }

        return metadata.GetType().GetInterfaces().Any(static type => type.FullName is "Microsoft.AspNetCore.Authorization.IAuthorizeData" or "Microsoft.AspNetCore.Authorization.IAuthorizationRequirementData");
    }

    private static RpcRegistrations Registrations(IServiceProvider services) => services.GetService<RpcRegistrations>() ?? new RpcRegistrations();
}
