using Postrider.Rpc.Http;

namespace Postrider.Rpc.Grpc;

/// <summary>Calls gRPC services: <c>POST address/package.service/operation</c> over HTTP/2.</summary>
/// <remarks>With the codec of <c>Postrider.Rpc.Protobuf</c> it calls gRPC servers in any language; with other codecs it calls Postrider's
/// own (<c>application/grpc+msgpack</c>). A request stream consists of the items; if the operation also has a message, it is sent first.
/// Thread-safe.</remarks>
public sealed class RpcGrpcChannel : RpcChannel
{
    private readonly SharedHttpInvoker _http;
    private readonly Uri _address;
    private readonly RpcCodec _codec;
    private readonly RpcGrpcChannelOptions _options;

    /// <summary>Creates a channel with its own connections.</summary>
    /// <param name="address">The server's address: <c>http://</c> or <c>https://</c>.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is not an HTTP address.</exception>
    public RpcGrpcChannel(Uri address, RpcCodec codec, RpcGrpcChannelOptions? options = null)
        : this(
            new HttpMessageInvoker(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null, EnableMultipleHttp2Connections = true }),
            isOwned: true, address, codec, options)
    {
    }

    /// <summary>Creates a channel over the application's own HTTP handlers.</summary>
    /// <param name="http">The invoker; not owned. It must support HTTP/2.</param>
    /// <param name="address">The server's address: <c>http://</c> or <c>https://</c>.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is not an HTTP address.</exception>
    public RpcGrpcChannel(HttpMessageInvoker http, Uri address, RpcCodec codec, RpcGrpcChannelOptions? options = null)
        : this(http, isOwned: false, address, codec, options)
    {
    }

    private RpcGrpcChannel(HttpMessageInvoker http, bool isOwned, Uri address, RpcCodec codec, RpcGrpcChannelOptions? options)
    {
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(codec);
        HttpNames.CheckAddress(address);
        _address = address.AbsoluteUri.EndsWith('/') ? address : new Uri(address.AbsoluteUri + "/");
        (_http, _codec, _options) = (new SharedHttpInvoker(http, isOwned), codec, options ?? new RpcGrpcChannelOptions());
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
