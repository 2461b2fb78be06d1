using System.Runtime.CompilerServices;
using Google.Protobuf.Reflection;
using Grpc.Core;
using Grpc.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Postrider.Rpc.Protobuf;
using V1 = Grpc.Reflection.V1;
using V1Alpha = Grpc.Reflection.V1Alpha;

namespace Postrider.Rpc.Grpc;

/// <summary>Maps the gRPC reflection service.</summary>
public static class GrpcReflectionEndpointRouteBuilderExtensions
{
    private const string Service = "ServerReflection";
    private const string Operation = "ServerReflectionInfo";

    /// <summary>Serves <c>grpc.reflection.v1.ServerReflection</c> and its predecessor <c>v1alpha</c>, from which tools such as grpcurl
    /// get the services of a server and their messages.</summary>
    /// <remarks>Reflection describes <c>.proto</c> files: it covers services with the codec of <c>Postrider.Rpc.Protobuf</c>. It reports
    /// the contents of the files; it does not check that the services are mapped.</remarks>
    /// <param name="routes">The application's routes.</param>
    /// <param name="files">The descriptors of the files that declare the services: <c>ShopReflection.Descriptor</c>. Files they import are
    /// included.</param>
    /// <returns>A builder for conventions such as authorization.</returns>
    /// <exception cref="ArgumentException">No file declares a service, or reflection is already mapped.</exception>
    public static IEndpointConventionBuilder MapGrpcReflection(this IEndpointRouteBuilder routes, params IReadOnlyList<FileDescriptor> files)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(files);
        var services = files.SelectMany(static file => file.Services).ToList();
        if (services.Count == 0)
            throw new ArgumentException("None of the files declares a service.", nameof(files));
        var group = routes.MapGroup("");
        group.MapGrpc(
            Serve<V1.ServerReflectionRequest, V1.ServerReflectionResponse>(new ReflectionV1ServiceImpl(services).ServerReflectionInfo),
            [new RpcProtobufCodec(V1.ReflectionReflection.Descriptor)], "grpc.reflection.v1");
        group.MapGrpc(
            Serve<V1Alpha.ServerReflectionRequest, V1Alpha.ServerReflectionResponse>(new ReflectionServiceImpl(services).ServerReflectionInfo),
            [new RpcProtobufCodec(V1Alpha.ReflectionReflection.Descriptor)], "grpc.reflection.v1alpha");
        return group;
    }

    private static RpcService Serve<TRequest, TResponse>(DuplexStreamingServerMethod<TRequest, TResponse> answer)
        where TRequest : class
        where TResponse : class
        => new(
            Service, "1.0.0",
            new OperationEndpoint<Unit, TRequest, TResponse>(
                new(Service, Operation, OperationKind.Duplex, SpecialParameters.Token, static codec => codec.GetFormatter<Unit>()),
                (_, requests, _, ct) => AnswerAsync(requests!, answer, ct)));

    private static async IAsyncEnumerable<TResponse> AnswerAsync<TRequest, TResponse>(
        IAsyncEnumerable<TRequest> requests, DuplexStreamingServerMethod<TRequest, TResponse> answer, [EnumeratorCancellation] CancellationToken ct)
        where TRequest : class
        where TResponse : class
    {
        await foreach (var request in requests.WithCancellation(ct).ConfigureAwait(false))
        {
            // The library's service does not use a call's context.
            var turn = new Turn<TRequest, TResponse>(request);
            await answer(turn, turn, null!).ConfigureAwait(false);
            yield return turn.Response ?? throw new InvalidOperationException("Reflection returned no response.");
        }
    }

    // A stream of one request, and the response to it.
    private sealed class Turn<TRequest, TResponse>(TRequest request) : IAsyncStreamReader<TRequest>, IServerStreamWriter<TResponse>
    {
        private bool _isRead;

        public TResponse? Response { get; private set; }

        public TRequest Current => request;

        public WriteOptions? WriteOptions { get; set; }

        public Task<bool> MoveNext(CancellationToken cancellationToken) => Task.FromResult(!_isRead && (_isRead = true));

        public Task WriteAsync(TResponse message)
        {
            Response = message;
            return Task.CompletedTask;
        }
    }
}
