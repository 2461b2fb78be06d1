using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace Postrider.Rpc.Server;

/// <summary>Handles requests below a service's name that match none of its operations: a method other than POST, or an unknown operation.</summary>
/// <remarks>Paths of routed operations belong to the application, which may serve other methods there: they keep ASP.NET's own responses.</remarks>
internal static class Refusals
{
    private static int s_order;

    public static void Map(IEndpointRouteBuilder routes, RpcService service, RpcCodec codec)
    {
        // Each comes after all operations, and each has its own order: a service's name may be mapped more than once.
        var order = Interlocked.Increment(ref s_order);
        foreach (var operation in service.Operations.Select(static endpoint => endpoint.Operation).Where(static operation => operation.HttpRoute is null))
        {
            routes.Map(operation.Path, http => RejectMethodAsync(http, operation, codec))
                .WithOrder(order).WithDisplayName($"{operation.Path} refused").WithMetadata([.. operation.Metadata]);
        }

        routes.MapPost($"{service.Name}/{{operation}}", http => RejectOperationAsync(http, service, codec)).WithOrder(order).WithDisplayName($"{service.Name} refused");
    }

    private static Task RejectMethodAsync(HttpContext http, Operation operation, RpcCodec codec)
    {
        http.Response.Headers.Allow = HttpMethods.Post;
        var failure = new CallFailure(RpcStatus.Unsupported, $"Unsupported method '{http.Request.Method}' for {operation.Path}. Supported: POST.");
        return ProblemDetailsWriter.WriteAsync(http, failure, codec, StatusCodes.Status405MethodNotAllowed).AsTask();
    }

    private static Task RejectOperationAsync(HttpContext http, RpcService service, RpcCodec codec)
        => ProblemDetailsWriter.WriteAsync(http, new CallFailure(RpcStatus.NotFound, $"The service '{service.Name}' has no operation '{http.Request.RouteValues["operation"]}'."), codec).AsTask();
}
