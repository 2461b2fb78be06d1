using System.Net;
using Postrider.Rpc.Http;
using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>Calls services over HTTP: <c>POST address/service/operation</c> with the message as body, or the route of the
/// operation.</summary>
/// <remarks>Streams are bodies of items. With HTTP/1.1, a request stream is answered after its end, and duplex calls fail with
/// <see cref="RpcStatus.Unsupported"/>; HTTP/2 has neither limitation. Thread-safe.</remarks>
public sealed class HttpChannel : RpcChannel
{
    private readonly SharedHttpInvoker _http;
    private readonly Uri _address;
    private readonly RpcCodec _codec;
    private readonly HttpChannelOptions _options;

    /// <summary>Creates a channel with its own connections.</summary>
    /// <param name="address">The base address of the services.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is not an HTTP address.</exception>
    public HttpChannel(Uri address, RpcCodec codec, HttpChannelOptions? options = null)
        : this(HttpHandlers.Open(options?.Engine ?? EngineKind.Auto, options?.Version ?? HttpVersion.Version11), isOwned: true, address, codec, options)
    {
    }

    /// <summary>Creates a channel over the application's own HTTP handlers.</summary>
    /// <param name="http">The invoker; not owned. An <see cref="HttpMessageInvoker"/> has less overhead per call than an
    /// <see cref="HttpClient"/>.</param>
    /// <param name="address">The base address of the services.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is not an HTTP address.</exception>
    public HttpChannel(HttpMessageInvoker http, Uri address, RpcCodec codec, HttpChannelOptions? options = null)
        : this(http, isOwned: false, address, codec, options)
    {
    }

    private HttpChannel(HttpMessageInvoker http, bool isOwned, Uri address, RpcCodec codec, HttpChannelOptions? options)
    {
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(codec);
        HttpNames.CheckAddress(address);
        _address = address.AbsoluteUri.EndsWith('/') ? address : new Uri(address.AbsoluteUri + "/");
        (_http, _codec, _options) = (new SharedHttpInvoker(http, isOwned), codec, options ?? new HttpChannelOptions());
    }

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        if (operation is { Kind: OperationKind.Unary } and Operation<TRequest, TItem, RpcFile> file)
            return (OperationInvoker<TRequest, TItem, TResponse>)(object)new HttpFileInvoker<TRequest, TItem>(_http, _address, file, _codec, _options);
        return operation.Kind is OperationKind.Unary or OperationKind.OneWay
            ? new HttpInvoker<TRequest, TItem, TResponse>(_http, _address, operation, _codec, _options)
            : new HttpStreamInvoker<TRequest, TItem, TResponse>(_http, _address, operation, _codec, _options);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _http.Dispose();
        return default;
    }
}
