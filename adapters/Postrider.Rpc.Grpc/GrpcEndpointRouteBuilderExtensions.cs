using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Server;

namespace Postrider.Rpc.Grpc;

/// <summary>Maps contracts as gRPC services.</summary>
public static class GrpcEndpointRouteBuilderExtensions
{
    /// <summary>Serves a contract to gRPC clients: <c>POST /package.service/operation</c> over HTTP/2.</summary>
    /// <remarks>The listener must support HTTP/2; without TLS it must be configured as <c>HttpProtocols.Http2</c>. Cancelling a call and
    /// its <c>grpc-timeout</c> cancel the operation's token; headers are metadata; a failure is a status, and the detail of a fault is in
    /// <c>grpc-status-details-bin</c>.</remarks>
    /// <param name="routes">The application's routes.</param>
    /// <param name="service">The service to serve.</param>
    /// <param name="codecs">The supported codecs. The one of <c>Postrider.Rpc.Protobuf</c> serves <c>application/grpc</c> and
    /// <c>application/grpc+proto</c>, others serve <c>application/grpc+</c> followed by their subtype; without Protobuf the first one
    /// also serves <c>application/grpc</c>.</param>
    /// <param name="package">The package of the service's <c>.proto</c> file, which prefixes its name; empty for none.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="compressResponses">Whether responses are compressed with gzip for callers that accept it.
    /// <see cref="GrpcCompression.Header"/> overrides it for a call.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="RpcException">A codec does not support a type of the contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">The contract is already mapped under this package in this application or group.</exception>
    public static IEndpointConventionBuilder MapGrpc(
        this IEndpointRouteBuilder routes, RpcService service, IReadOnlyList<RpcCodec> codecs, string package = "", RpcServerOptions? options = null,
        bool compressResponses = false)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentNullException.ThrowIfNull(package);
        ArgumentOutOfRangeException.ThrowIfZero(codecs.Count, nameof(codecs));
        SharedAuthorization.RequirePolicies(routes.ServiceProvider, service);
        var logger = routes.ServiceProvider.GetRequiredService<ILoggerFactory>().CreateLogger("Postrider.Rpc");
        var binder = new Binder(
            codecs, options ?? new RpcServerOptions(), compressResponses, routes.ServiceProvider.GetService<OneWayCallQueue>() ?? new OneWayCallQueue(), logger);

        // The same contract may also be served over plain HTTP: gRPC's calls are distinguished by their content type, and
        // requests with another one are rejected unless another endpoint accepts them.
        // Calls of gRPC-Web are routed too, for the middleware that translates them: it runs after routing.
        string[] types = [GrpcNames.ContentType, .. codecs.Select(static codec => $"{GrpcNames.ContentType}+{GrpcNames.Suffix(codec)}")];
        string[] routed = [.. types, .. types.Select(static type => type.Replace(GrpcNames.ContentType, GrpcNames.WebContentType, StringComparison.Ordinal)), .. types.Select(static type => type.Replace(GrpcNames.ContentType, GrpcNames.WebTextContentType, StringComparison.Ordinal))];
        var path = GrpcNames.Service(package, service.Name);
        var served = service.Operations.Select(operation => (operation.Operation, Handler: operation.Accept(binder))).ToList();
        RouteConflicts.Add(routes, service.Name, served.Select(s => ("gRPC's", $"{path}/{s.Operation.Name}")));
        var group = routes.MapGroup(path);
        foreach (var (operation, handler) in served)
        {
            var name = $"gRPC {operation.Path}";
            group.MapPost(operation.Name, handler).WithDisplayName(name).WithMetadata([new AcceptsMetadata(routed), .. operation.Metadata]);
            group.MapPost(operation.Name, http => Reject(http, types)).WithOrder(1).WithDisplayName($"{name} refused");
        }

        // Unknown operations: a gRPC status for its callers, an HTTP status for all others.
        group.MapPost("{operation}", NotImplemented).WithMetadata(new AcceptsMetadata(routed)).WithDisplayName($"gRPC {service.Name}");
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

    private sealed class Binder(IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, bool compressResponses, OneWayCallQueue events, ILogger logger) : IEndpointVisitor<RequestDelegate>
    {
        public RequestDelegate Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => new GrpcHandler<TRequest, TItem, TResponse>(endpoint, codecs, options, compressResponses, events, logger).HandleAsync;
    }
}
