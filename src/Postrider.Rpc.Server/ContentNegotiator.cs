using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Server;

/// <summary>Chooses the codecs of one operation by the headers of a request.</summary>
internal sealed class ContentNegotiator<TRequest, TItem, TResponse>
{
    private readonly HttpOperationBinding<TRequest, TItem, TResponse>[] _bindings;
    private readonly HttpOperationBinding<TRequest, TItem, TResponse>[] _consumed;
    private readonly bool _hasBody;

    public ContentNegotiator(Operation<TRequest, TItem, TResponse> operation, IReadOnlyList<RpcCodec> codecs)
    {
        _bindings = [.. codecs.Select(codec => new HttpOperationBinding<TRequest, TItem, TResponse>(operation, codec)), .. Events(operation, codecs)];
        _consumed = [.. _bindings.Take(codecs.Count)];
        _hasBody = operation.Route is not { HasBody: false } || operation.Kind is OperationKind.ClientStream or OperationKind.Duplex;
    }

    /// <summary>Chooses the bindings of request and response. If one is null, call <see cref="RejectAsync"/>.</summary>
    public (HttpOperationBinding<TRequest, TItem, TResponse>? Request, HttpOperationBinding<TRequest, TItem, TResponse>? Response) Choose(HttpContext http)
    {
        var type = MediaTypes.WithoutParameters(http.Request.ContentType);
        var requestBinding = type.IsEmpty || !_hasBody ? _bindings[0] : Find(type);
        if (requestBinding is null || (_hasBody && requestBinding.IsText && MediaTypes.ForeignCharset(http.Request.ContentType) is not null))
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            http.Response.Headers["Accept-Post"] = string.Join(", ", _consumed.Select(f => f.RequestContentType));
            return default;
        }

        if (http.Request.Headers.ContentEncoding is { Count: > 0 } coding && !"identity".Equals(coding, StringComparison.OrdinalIgnoreCase))
        {
            // ASP.NET's request decompression, if the application uses it, has removed the header by now.
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            http.Response.Headers.AcceptEncoding = "identity";
            return default;
        }

        if (typeof(TResponse) == typeof(RpcFile))
            return (requestBinding, requestBinding);
        var accept = http.Request.Headers.Accept;
        var responseBinding = accept.Count == 0 || (accept.Count == 1 && requestBinding.Produces(accept[0])) ? requestBinding : MediaTypes.Choose(accept, requestBinding, _bindings);
        if (responseBinding is null)
            http.Response.StatusCode = StatusCodes.Status406NotAcceptable;
        return (requestBinding, responseBinding);
    }

    /// <summary>Writes an error that lists the supported media types. <see cref="Choose"/> has set the status.</summary>
    public ValueTask RejectAsync(HttpContext http)
    {
        var words = http.Response.StatusCode == StatusCodes.Status406NotAcceptable
            ? $"None of the media types in Accept '{http.Request.Headers.Accept}' is supported. Supported: {string.Join(", ", _bindings.Select(f => f.ResponseContentType))}."
            : http.Response.Headers.AcceptEncoding.Count > 0
                ? $"Unsupported content encoding '{http.Request.Headers.ContentEncoding}'."
                : MediaTypes.ForeignCharset(http.Request.ContentType) is { } charset && Find(MediaTypes.WithoutParameters(http.Request.ContentType)) is not null
                    ? $"Unsupported charset '{charset}'. Supported: utf-8."
                    : $"Unsupported content type '{http.Request.ContentType}'. Supported: {string.Join(", ", _consumed.Select(f => f.RequestContentType))}.";
        return ProblemDetailsWriter.WriteAsync(http, new CallFailure(RpcStatus.Unsupported, words), _bindings[0].Codec, http.Response.StatusCode);
    }

    // An EventSource in a browser asks for this, if the items are text.
    private static IEnumerable<HttpOperationBinding<TRequest, TItem, TResponse>> Events(Operation<TRequest, TItem, TResponse> operation, IReadOnlyList<RpcCodec> codecs)
        => operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? codecs.Where(static codec => codec.ContentType == JsonLines.Json).Take(1).Select(codec => new HttpOperationBinding<TRequest, TItem, TResponse>(operation, codec, ServerSentEvents.Instance))
            : [];

    private HttpOperationBinding<TRequest, TItem, TResponse>? Find(ReadOnlySpan<char> type)
    {
        foreach (var binding in _consumed)
        {
            if (binding.Consumes(type))
                return binding;
        }

        return null;
    }
}
