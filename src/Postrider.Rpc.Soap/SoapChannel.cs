using System.Net;
using Postrider.Rpc.Http;
using Postrider.Sockets;
using Postrider.Xml;

namespace Postrider.Rpc.Soap;

/// <summary>Calls SOAP 1.1 or 1.2 services (document/literal) over HTTP: those of Postrider, WCF and others.</summary>
/// <remarks>Streaming calls fail with <see cref="RpcStatus.Unsupported"/>. Headers of a call are text header blocks in the contract's
/// namespace. Thread-safe.</remarks>
public sealed class SoapChannel : RpcChannel
{
    private readonly SharedHttpInvoker _http;
    private readonly Uri _address;
    private readonly RpcXmlCodec _codec;
    private readonly SoapChannelOptions _options;

    /// <summary>Creates a channel with its own connections.</summary>
    /// <param name="address">The service's address.</param>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is not an HTTP address, or a password is set and the address is not
    /// https.</exception>
    public SoapChannel(Uri address, XmlContext? context = null, SoapChannelOptions? options = null)
        : this(HttpHandlers.Open(options?.Engine ?? EngineKind.Auto, HttpVersion.Version11, DecompressionMethods.GZip), isOwned: true, address, context, options)
    {
    }

    /// <summary>Creates a channel over the application's own HTTP handlers, for certificates, credentials and the like.</summary>
    /// <param name="http">Not owned.</param>
    /// <param name="address">The service's address.</param>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">The address is not an HTTP address, or a password is set and the address is not
    /// https.</exception>
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
