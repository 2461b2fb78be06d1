using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Server;
using Postrider.Xml;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Puts contracts among an application's routes as SOAP services.</summary>
public static class SoapEndpointRouteBuilderExtensions
{
    /// <summary>Serves a contract by SOAP 1.1 and 1.2, document/literal wrapped, on one address: <c>POST</c> calls an operation, <c>GET ?wsdl</c> and
    /// <c>?singleWsdl</c> describe the service.</summary>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route, for example <c>/orders.svc</c>.</param>
    /// <param name="service">What is served; its operations that stream are not.</param>
    /// <param name="context">Knows the types of the contract; null when it has none of its own.</param>
    /// <param name="options">How; null for the defaults.</param>
    /// <remarks>What <c>[Authorize]</c> on any of the operations demands, the address demands.</remarks>
    /// <returns>The route, for authorization, rate limits and the like.</returns>
    /// <exception cref="RpcException">The context knows nothing of a type that the contract uses: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">Another contract is mapped by SOAP at the route in this application or group already.</exception>
    public static IEndpointConventionBuilder MapSoap(
        this IEndpointRouteBuilder routes, string pattern, RpcService service, XmlContext? context = null, SoapServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(pattern);
        ArgumentNullException.ThrowIfNull(service);
        var logger = routes.ServiceProvider.GetRequiredService<ILoggerFactory>().CreateLogger("Postrider.Rpc");
        var endpoint = new SoapEndpoint(service, context, options ?? new SoapServerOptions(), routes.ServiceProvider.GetService<OneWayCallQueue>() ?? new OneWayCallQueue(), logger);
        RouteConflicts.Add(routes, service.Name, [("SOAP's", pattern)]);
        return routes.MapMethods(pattern, ["GET", "POST"], endpoint.HandleAsync).WithDisplayName(service.Name).WithMetadata(SharedAuthorization.For(service));
    }
}
