// Hot path: RpcServerConnection -> this -> UnaryServerCall. Allocations: none once pooled.
using System.Buffers;

namespace Postrider.Rpc.Sockets;

/// <summary>An operation with its formatters and its calls' pool.</summary>
internal sealed class ServerOperation<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint, RpcCodec codec, bool enableDetailedErrors) : IServerOperation
{
    public OperationEndpoint<TRequest, TItem, TResponse> Endpoint => endpoint;

    public Operation<TRequest, TItem, TResponse> Contract => endpoint.Contract;

    public string Path => endpoint.Contract.Path;

    public OperationKind Kind => Contract.Kind;

    public bool IsOneWay => endpoint.Contract.Kind == OperationKind.OneWay;

    public RpcFormatter<TRequest> Request { get; } = endpoint.Contract.RequestFormatter(codec);

    public RpcFormatter<TItem> Item { get; } = codec.GetFormatter<TItem>();

    public RpcFormatter<TResponse> Response { get; } = endpoint.Contract.ResponseFormatter(codec);

    public CallPool<UnaryServerCall<TRequest, TItem, TResponse>> Pool { get; } = new();

    public ServerCall Begin(RpcServerConnection connection, uint id, TimeSpan? timeout, RpcHeaders? headers, in ReadOnlySequence<byte> body)
    {
        var request = Request.Read(body);
        var context = Contract.TakesContext ? Context(connection, timeout, headers) : null;
        if (Contract.Kind is not (OperationKind.Unary or OperationKind.OneWay))
            return new StreamServerCall<TRequest, TItem, TResponse>(this, connection, id, timeout, request, context);
        if (!Pool.TryRent(out var call))
            call = new(this);
        call.Begin(connection, id, timeout, request, context);
        return call;
    }

    public CallFailure Describe(Exception exception) => CallFailure.From(exception, Contract, codec, enableDetailedErrors);

    private static CallContext Context(RpcServerConnection connection, TimeSpan? timeout, RpcHeaders? headers)
    {
        var context = new CallContext { Peer = connection.Peer, Timeout = timeout, User = connection.User, Connection = connection.Resources };
        if (headers is not null)
        {
            foreach (var (name, value) in headers)
                context.Headers[name] = value;
        }

        return context;
    }
}
