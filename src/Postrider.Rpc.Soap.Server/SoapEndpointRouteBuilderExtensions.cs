using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;
using Postrider.Xml;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Maps contracts as SOAP services.</summary>
public static class SoapEndpointRouteBuilderExtensions
{
    private static readonly RpcTransport s_transport = new("SOAP") { HasScopes = true };

    /// <summary>Serves a contract over SOAP 1.1 and 1.2 (document/literal wrapped) at one address: <c>POST</c> calls an operation, <c>GET
    /// ?wsdl</c> and <c>?singleWsdl</c> return the service description.</summary>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route, for example <c>/orders.svc</c>.</param>
    /// <param name="service">The service to serve. Streaming operations are omitted.</param>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <remarks>The requirements of <c>[Authorize]</c> on any operation apply to the whole address.</remarks>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="RpcException">The context does not include a type of the contract:
    /// <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">Another SOAP contract is already mapped to the route in this application or group.</exception>
    public static IEndpointConventionBuilder MapSoap(
        this IEndpointRouteBuilder routes, string pattern, RpcService service, XmlContext? context = null, SoapServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(pattern);
        ArgumentNullException.ThrowIfNull(service);
        SharedAuthorization.RequirePolicies(routes.ServiceProvider, service);
        var logger = routes.ServiceProvider.GetRequiredService<ILoggerFactory>().CreateLogger("Postrider.Rpc");
        var endpoint = new SoapEndpoint(service, context, options ?? new SoapServerOptions(), routes.ServiceProvider.GetService<OneWayCallQueue>() ?? new OneWayCallQueue(), logger);
        RouteConflicts.Add(routes, service.Name, [("SOAP's", pattern)]);
        return routes.MapMethods(pattern, ["GET", "POST"], endpoint.HandleAsync).WithDisplayName(service.Name).WithMetadata(SharedAuthorization.For(service));
    }

    /// <summary>Serves a contract that <c>AddRpcService</c> added over SOAP 1.1 and 1.2, with the interceptors of the container.
    /// Implementations that are not singletons come from the scope of the request.</summary>
    /// <typeparam name="TService">The contract. Its streaming operations are omitted.</typeparam>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route, for example <c>/orders.svc</c>.</param>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <remarks>The requirements of <c>[Authorize]</c> on any operation apply to the whole address.</remarks>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">The contract was not added, or it was added with
    /// <c>AddRpcServicePerConnection</c>.</exception>
    /// <exception cref="RpcException">The context does not include a type of the contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">Another SOAP contract is already mapped to the route in this application or group.</exception>
    public static IEndpointConventionBuilder MapSoap<TService>(
        this IEndpointRouteBuilder routes, string pattern, XmlContext? context = null, SoapServerOptions? options = null)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(routes);
        return routes.MapSoap(pattern, RpcServedContracts.Get<TService>(routes.ServiceProvider, s_transport), context, options);
    }
}
