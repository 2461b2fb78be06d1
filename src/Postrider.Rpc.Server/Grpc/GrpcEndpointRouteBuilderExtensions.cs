using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Server.Grpc;

namespace Postrider.Rpc.Server;

/// <summary>Puts contracts among an application's routes as gRPC services.</summary>
public static class GrpcEndpointRouteBuilderExtensions
{
    /// <summary>Serves a contract to gRPC's callers: <c>POST /package.service/operation</c> over HTTP/2.</summary>
    /// <remarks>The listener has to speak HTTP/2: without TLS it is to be <c>HttpProtocols.Http2</c> alone. Cancelling a call and its
    /// <c>grpc-timeout</c> cancel the operation's token; headers are metadata; a failure is a status, a fault's detail stands in
    /// <c>grpc-status-details-bin</c>.</remarks>
    /// <param name="routes">The application.</param>
    /// <param name="service">What is served.</param>
    /// <param name="codecs">The bindings. That of <c>Postrider.Rpc.Protobuf</c> serves <c>application/grpc</c> and <c>application/grpc+proto</c>, another
    /// <c>application/grpc+</c> and its subtype; the first serves <c>application/grpc</c> when there is no Protobuf.</param>
    /// <param name="package">The package in the service's <c>.proto</c> file, which stands before its name; empty for none.</param>
    /// <param name="options">How; null for the defaults.</param>
    /// <returns>The routes, for authorization, rate limits and the like.</returns>
    /// <exception cref="RpcException">A codec knows nothing of a type that the contract uses: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">The contract is mapped under this package in this application or group already.</exception>
    public static IEndpointConventionBuilder MapGrpc(
        this IEndpointRouteBuilder routes, RpcService service, IReadOnlyList<RpcCodec> codecs, string package = "", RpcServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentNullException.ThrowIfNull(package);
        ArgumentOutOfRangeException.ThrowIfZero(codecs.Count, nameof(codecs));
        var logger = routes.ServiceProvider.GetRequiredService<ILoggerFactory>().CreateLogger("Postrider.Rpc");
        var binder = new Binder(codecs, options ?? new RpcServerOptions(), routes.ServiceProvider.GetService<OneWayCallQueue>() ?? new OneWayCallQueue(), logger);

        // The same contract may be among the application's routes by plain HTTP, too: gRPC's calls are told by their content type, and
        // what has another is refused where nobody else takes it.
        string[] types = [GrpcNames.ContentType, .. codecs.Select(static codec => $"{GrpcNames.ContentType}+{GrpcNames.Suffix(codec)}")];
        var path = GrpcNames.Service(package, service.Name);
        var served = service.Operations.Select(operation => (operation.Operation, Handler: operation.Accept(binder))).ToList();
        RouteConflicts.Add(routes, service.Name, served.Select(s => ("gRPC's", $"{path}/{s.Operation.Name}")));
        var group = routes.MapGroup(path);
        foreach (var (operation, handler) in served)
        {
            var name = $"gRPC {operation.Path}";
            group.MapPost(operation.Name, handler).WithDisplayName(name).WithMetadata([new AcceptsMetadata(types), .. operation.Metadata]);
            group.MapPost(operation.Name, http => Reject(http, types)).WithOrder(1).WithDisplayName($"{name} refused");
        }

        // An operation that is not there: a status of gRPC's for its callers, what HTTP says for all others.
        group.MapPost("{operation}", NotImplemented).WithMetadata(new AcceptsMetadata(types)).WithDisplayName($"gRPC {service.Name}");
        group.MapPost("{operation}", NotFound).WithOrder(1).WithDisplayName($"gRPC {service.Name} refused");
        return group;
    }

    private static Task Reject(HttpContext http, string[] types)
    {
        GrpcCall.Reject(http, types.Skip(1));
        return Task.CompletedTask;
    }

    private static Task NotFound(HttpContext http)
    {
        http.Response.StatusCode = StatusCodes.Status404NotFound;
        return Task.CompletedTask;
    }

    private static Task NotImplemented(HttpContext http)
    {
        http.Response.ContentType = GrpcNames.ContentType;
        http.Response.Headers[GrpcNames.Status] = GrpcStatus.Unimplemented.ToString(CultureInfo.InvariantCulture);
        http.Response.Headers[GrpcNames.Message] = GrpcNames.Encode($"No service implements {http.Request.Path.Value?.TrimStart('/')}.");
        return Task.CompletedTask;
    }

    private sealed class Binder(IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, OneWayCallQueue events, ILogger logger) : IEndpointVisitor<RequestDelegate>
    {
        public RequestDelegate Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => new GrpcHandler<TRequest, TItem, TResponse>(endpoint, codecs, options, events, logger).HandleAsync;
    }
}
