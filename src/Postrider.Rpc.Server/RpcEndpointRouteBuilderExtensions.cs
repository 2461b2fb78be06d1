using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server;

/// <summary>Maps contracts to routes.</summary>
public static class RpcEndpointRouteBuilderExtensions
{
    /// <summary>Serves a contract: <c>POST prefix/service/operation</c> with the message as body and its format negotiated by
    /// <c>Content-Type</c> and <c>Accept</c>. An operation with its own route is served at <c>prefix/route</c>.</summary>
    /// <remarks>Streams are bodies of items: JSON lines, or frames around the items of another codec.</remarks>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="service">The service to serve.</param>
    /// <param name="codecs">The supported codecs; the first one applies to requests that name none.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="RpcException">A codec does not support a type of the contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">A route of the contract is already mapped in this application or group.</exception>
    public static IEndpointConventionBuilder MapRpc(
        this IEndpointRouteBuilder routes, RpcService service, IReadOnlyList<RpcCodec> codecs, RpcServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentOutOfRangeException.ThrowIfZero(codecs.Count, nameof(codecs));
        SharedAuthorization.RequirePolicies(routes.ServiceProvider, service);
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

    /// <summary>Serves contracts over WebSockets at a path. The application must call <c>app.UseWebSockets()</c>, whose options restrict
    /// the allowed origins of browsers. The requirements of <c>[Authorize]</c> on any operation apply to the whole path.</summary>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The path.</param>
    /// <param name="server">The server; its connections close when the application stops.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    public static IEndpointConventionBuilder MapRpcWebSockets(this IEndpointRouteBuilder routes, string pattern, WebSocketServer server)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(server);
        SharedAuthorization.RequirePolicies(routes.ServiceProvider, server.Services);
        return routes.MapWebSocket(pattern, server).WithMetadata(SharedAuthorization.For(server.Services));
    }

    internal static IEndpointConventionBuilder MapWebSocket(this IEndpointRouteBuilder routes, string pattern, WebSocketServer server)
    {
        var life = routes.ServiceProvider.GetRequiredService<IHostApplicationLifetime>();
        life.ApplicationStopping.Register(static state => _ = ((WebSocketServer)state!).DisposeAsync().AsTask(), server);
        return routes.MapGet(pattern, server.HandleAsync).WithDisplayName("RPC over WebSockets");
    }

    private static string Template(Operation operation) => operation.HttpRoute?.Template ?? operation.Path;

    // A caller that may use GET may also use HEAD: servers omit the body.
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
