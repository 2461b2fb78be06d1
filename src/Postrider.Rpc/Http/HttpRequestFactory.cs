using System.Globalization;
using System.Net.Http.Headers;

namespace Postrider.Rpc.Http;

/// <summary>Creates the requests of one operation, without their bodies.</summary>
internal sealed class HttpRequestFactory<TRequest>
{
    private readonly Uri _address;
    private readonly HttpRoute<TRequest>? _route;
    private readonly HttpMethod _method;
    private readonly HttpChannelOptions _options;

    /// <param name="address">The base address, with '/' at its end.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="route">Its own path, or null.</param>
    /// <param name="formatter">Creates the message's formatter if there is none.</param>
    /// <param name="codec">The form of the body.</param>
    /// <param name="options">How to call.</param>
    public HttpRequestFactory(Uri address, Operation operation, HttpRoute<TRequest>? route, Func<RpcCodec, RpcFormatter<TRequest>> formatter, RpcCodec codec, HttpChannelOptions options)
    {
        (_route, _options) = (route, options);
        _address = route is null ? new Uri(address, operation.Path) : address;
        _method = route is null ? HttpMethod.Post : new HttpMethod(route.Method);
        BodyCodec = codec.CodecFor(route?.BodyType ?? typeof(TRequest));
        ContentType = new MediaTypeHeaderValue(BodyCodec.ContentType);
        Body = route is null ? formatter(codec) : route.Bind(codec).Writer;
    }

    /// <summary>Writes a message's body.</summary>
    public RpcFormatter<TRequest> Body { get; }

    /// <summary>The form of the body.</summary>
    public RpcCodec BodyCodec { get; }

    /// <summary>The body's media type.</summary>
    public MediaTypeHeaderValue ContentType { get; }

    /// <summary>A request has a body at all.</summary>
    public bool HasBody => _route is null or { HasBody: true };

    /// <summary>The address of the calls, for error messages.</summary>
    public Uri Address => _address;

    /// <summary>Creates a request without its body and its Accept header.</summary>
    /// <exception cref="RpcException">A parameter's value is not allowed in its position: <see cref="RpcStatus.InvalidData"/>.</exception>
    public HttpRequestMessage Make(TRequest request, CallContext? context)
    {
        HttpRequestTarget? target = null;
        if (_route is not null)
            _route.Fill(target = new HttpRequestTarget(), request);
        var message = new HttpRequestMessage(_method, target?.ToUri(_address.AbsoluteUri, _route!.Pieces) ?? _address)
        {
            Version = _options.Version,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        if (CallTimeout.ToWire(context) is { } time)
            message.Headers.Add(HttpNames.Timeout, Math.Ceiling(time.TotalMilliseconds).ToString(CultureInfo.InvariantCulture));
        HttpResponseReader.AddHeaders(message, context);
        foreach (var (name, value) in target?.Headers ?? [])
            message.Headers.TryAddWithoutValidation(name, value);
        return message;
    }
}
