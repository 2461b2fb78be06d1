using Postrider.Rpc.Grpc;
using Postrider.Rpc.Http;

namespace Postrider.Rpc;

/// <summary>Calls gRPC services: <c>POST address/package.service/operation</c> over HTTP/2.</summary>
/// <remarks>With the codec of <c>Postrider.Rpc.Protobuf</c> it calls the servers of every language; with another it calls ours
/// (<c>application/grpc+msgpack</c>). What the caller streams is its items: when the operation has a message besides, that is the first. Thread-safe.</remarks>
public sealed class GrpcChannel : RpcChannel
{
    private readonly SharedHttpInvoker _http;
    private readonly Uri _address;
    private readonly RpcCodec _codec;
    private readonly GrpcChannelOptions _options;

    /// <summary>Reaches a server over connections of its own.</summary>
    /// <param name="address">The server: <c>http://</c> or <c>https://</c>.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is none of HTTP.</exception>
    public GrpcChannel(Uri address, RpcCodec codec, GrpcChannelOptions? options = null)
        : this(
            new HttpMessageInvoker(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null, EnableMultipleHttp2Connections = true }),
            isOwned: true, address, codec, options)
    {
    }

    /// <summary>Reaches a server over an application's own handlers.</summary>
    /// <param name="http">Not owned. It has to speak HTTP/2.</param>
    /// <param name="address">The server: <c>http://</c> or <c>https://</c>.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is none of HTTP.</exception>
    public GrpcChannel(HttpMessageInvoker http, Uri address, RpcCodec codec, GrpcChannelOptions? options = null)
        : this(http, isOwned: false, address, codec, options)
    {
    }

    private GrpcChannel(HttpMessageInvoker http, bool isOwned, Uri address, RpcCodec codec, GrpcChannelOptions? options)
    {
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(codec);
        HttpNames.CheckAddress(address);
        _address = address.AbsoluteUri.EndsWith('/') ? address : new Uri(address.AbsoluteUri + "/");
        (_http, _codec, _options) = (new SharedHttpInvoker(http, isOwned), codec, options ?? new GrpcChannelOptions());
    }

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        var address = new Uri(_address, $"{GrpcNames.Service(_options.Package, operation.Service)}/{operation.Name}");
        return new GrpcInvoker<TRequest, TItem, TResponse>(_http, address, operation, _codec, _options);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _http.Dispose();
        return default;
    }
}
