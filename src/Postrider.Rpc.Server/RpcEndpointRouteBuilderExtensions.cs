using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server;

/// <summary>Puts contracts among an application's routes.</summary>
public static class RpcEndpointRouteBuilderExtensions
{
    /// <summary>Serves a contract: <c>POST prefix/service/operation</c>, the message as body, its form by <c>Content-Type</c> and <c>Accept</c>;
    /// an operation that has a route of its own at <c>prefix/route</c>.</summary>
    /// <remarks>What an operation streams is a body of items: lines of JSON, or frames around the items of another codec.</remarks>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="service">What is served.</param>
    /// <param name="codecs">The forms; the first is that of a request that names none.</param>
    /// <param name="options">How; null for the defaults.</param>
    /// <returns>The routes, for authorization, rate limits and the like.</returns>
    /// <exception cref="RpcException">A codec knows nothing of a type that the contract uses: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">A route of the contract is mapped in this application or group already.</exception>
    public static IEndpointConventionBuilder MapRpc(
        this IEndpointRouteBuilder routes, RpcService service, IReadOnlyList<RpcCodec> codecs, RpcServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentOutOfRangeException.ThrowIfZero(codecs.Count, nameof(codecs));
        var logger = routes.ServiceProvider.GetRequiredService<ILoggerFactory>().CreateLogger("Postrider.Rpc");
        var binder = new Binder(codecs, options ?? new RpcServerOptions(), routes.ServiceProvider.GetService<OneWayCallQueue>() ?? new OneWayCallQueue(), logger);
        var served = service.Operations.Select(operation => (Served: new RpcOperationMetadata(service, operation, codecs), operation.Operation, Handler: operation.Accept(binder))).ToList();
        RouteConflicts.Add(routes, service.Name, served.Select(static s => (s.Operation.HttpRoute?.Method ?? HttpMethods.Post, Template(s.Operation))));
        var group = routes.MapGroup("");
        foreach (var (metadata, operation, handler) in served)
        {
            group.MapMethods(Template(operation), Methods(operation.HttpRoute), handler)
                .WithDisplayName(operation.Path).WithMetadata([operation, metadata, .. operation.Metadata]);
        }

        Refusals.Map(group, service, codecs[0]);
        return group;
    }

    /// <summary>Serves contracts over WebSockets at a path. The application has to use ASP.NET's WebSockets (<c>app.UseWebSockets()</c>), whose
    /// options say which origins a browser's page may have. What <c>[Authorize]</c> on any of the operations demands, the address demands.</summary>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The path.</param>
    /// <param name="server">What is served; its connections end when the application stops.</param>
    /// <returns>The route, for authorization, rate limits and the like.</returns>
    public static IEndpointConventionBuilder MapRpcWebSockets(this IEndpointRouteBuilder routes, string pattern, WebSocketServer server)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(server);
        var life = routes.ServiceProvider.GetRequiredService<IHostApplicationLifetime>();
        life.ApplicationStopping.Register(static state => _ = ((WebSocketServer)state!).DisposeAsync().AsTask(), server);
        return routes.MapGet(pattern, server.HandleAsync).WithDisplayName("RPC over WebSockets").WithMetadata(SharedAuthorization.For(server.Services));
    }

    private static string Template(Operation operation) => operation.HttpRoute?.Template ?? operation.Path;

    // Whoever may read may ask for the head alone: servers leave the body out.
    private static string[] Methods(HttpRoute? route) => route switch
    {
        null => [HttpMethods.Post],
        { Method: "GET" } => [HttpMethods.Get, HttpMethods.Head],
        _ => [route.Method],
    };

    private sealed class Binder(IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, OneWayCallQueue events, ILogger logger) : IEndpointVisitor<RequestDelegate>
    {
        public RequestDelegate Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => endpoint.Contract.Kind is OperationKind.Unary or OperationKind.OneWay
                ? new OperationHandler<TRequest, TItem, TResponse>(endpoint, codecs, options, events, logger).HandleAsync
                : new StreamHandler<TRequest, TItem, TResponse>(endpoint, codecs, options, logger).HandleAsync;
    }
}
