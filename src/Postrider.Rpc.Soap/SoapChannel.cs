using System.Net;
using Postrider.Rpc.Http;
using Postrider.Sockets;
using Postrider.Xml;

namespace Postrider.Rpc.Soap;

/// <summary>Calls services by SOAP 1.1 or 1.2 over HTTP, document/literal: ours, WCF's and others'.</summary>
/// <remarks>Streams are not carried: such a call fails with <see cref="RpcStatus.Unsupported"/>. Headers of a call are blocks of text of
/// the contract's namespace. Thread-safe.</remarks>
public sealed class SoapChannel : RpcChannel
{
    private readonly SharedHttpInvoker _http;
    private readonly Uri _address;
    private readonly RpcXmlCodec _codec;
    private readonly SoapChannelOptions _options;

    /// <summary>Reaches a service over connections of its own.</summary>
    /// <param name="address">The service's address.</param>
    /// <param name="context">Knows the types of the contract; null when it has none of its own.</param>
    /// <param name="options">How to call; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is none of HTTP, or a password is to be sent and it is not of https.</exception>
    public SoapChannel(Uri address, XmlContext? context = null, SoapChannelOptions? options = null)
        : this(HttpHandlers.Open(options?.Engine ?? EngineKind.Auto, HttpVersion.Version11, DecompressionMethods.GZip), isOwned: true, address, context, options)
    {
    }

    /// <summary>Reaches a service over an application's own handlers: for certificates, passwords and the like.</summary>
    /// <param name="http">Not owned.</param>
    /// <param name="address">The service's address.</param>
    /// <param name="context">Knows the types of the contract; null when it has none of its own.</param>
    /// <param name="options">How to call; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is none of HTTP, or a password is to be sent and it is not of https.</exception>
    public SoapChannel(HttpMessageInvoker http, Uri address, XmlContext? context = null, SoapChannelOptions? options = null)
        : this(http, isOwned: false, address, context, options)
    {
    }

    private SoapChannel(HttpMessageInvoker http, bool isOwned, Uri address, XmlContext? context, SoapChannelOptions? options)
    {
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(address);
        HttpNames.CheckAddress(address);
        (_http, _address, _options) = (new SharedHttpInvoker(http, isOwned), address, options ?? new SoapChannelOptions());
        if (_options.Token is not null && address.Scheme != Uri.UriSchemeHttps)
            throw new ArgumentException($"A password is sent over TLS only, but {address} is not an https address.", nameof(address));
        _codec = new RpcXmlCodec(context, _options.Limits);
    }

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new SoapInvoker<TRequest, TItem, TResponse>(_http, _address, operation, _codec, _options);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _http.Dispose();
        return default;
    }
}
