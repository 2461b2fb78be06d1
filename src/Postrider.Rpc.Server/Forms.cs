using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server;

/// <summary>The forms of one operation, chosen by a request's headers.</summary>
internal sealed class Forms<TRequest, TItem, TResponse>
{
    private readonly Form<TRequest, TItem, TResponse>[] _forms;
    private readonly bool _hasBody;

    public Forms(Operation<TRequest, TItem, TResponse> operation, IReadOnlyList<RpcCodec> codecs)
    {
        _forms = [.. codecs.Select(codec => new Form<TRequest, TItem, TResponse>(operation, codec))];
        _hasBody = operation.Route is not { HasBody: false } || operation.Kind is OperationKind.ClientStream or OperationKind.Duplex;
    }

    /// <summary>The form of the request and that of the answer; null for one that is none: then <see cref="RefuseAsync"/> says so.</summary>
    public (Form<TRequest, TItem, TResponse>? Asked, Form<TRequest, TItem, TResponse>? Answered) Choose(HttpContext http)
    {
        var type = MediaTypes.WithoutParameters(http.Request.ContentType);
        var asked = type.IsEmpty || !_hasBody ? _forms[0] : Find(type);
        if (asked is null || (_hasBody && asked.IsText && MediaTypes.ForeignCharset(http.Request.ContentType) is not null))
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            http.Response.Headers["Accept-Post"] = string.Join(", ", _forms.Select(f => f.TakenType));
            return default;
        }

        if (http.Request.Headers.ContentEncoding is { Count: > 0 } coding && !"identity".Equals(coding, StringComparison.OrdinalIgnoreCase))
        {
            // ASP.NET's request decompression, where an application has it, has taken the header away by now.
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            http.Response.Headers.AcceptEncoding = "identity";
            return default;
        }

        if (typeof(TResponse) == typeof(RpcFile))
            return (asked, asked);
        var accept = http.Request.Headers.Accept;
        var answered = accept.Count == 0 || (accept.Count == 1 && asked.Gives(accept[0])) ? asked : MediaTypes.Choose(accept, asked, _forms);
        if (answered is null)
            http.Response.StatusCode = StatusCodes.Status406NotAcceptable;
        return (asked, answered);
    }

    /// <summary>Tells a caller, whose status was set by <see cref="Choose"/>, which forms there are.</summary>
    public ValueTask RefuseAsync(HttpContext http)
    {
        var words = http.Response.StatusCode == StatusCodes.Status406NotAcceptable
            ? $"None of the media types in Accept '{http.Request.Headers.Accept}' is supported. Supported: {string.Join(", ", _forms.Select(f => f.GivenType))}."
            : http.Response.Headers.AcceptEncoding.Count > 0
                ? $"Unsupported content encoding '{http.Request.Headers.ContentEncoding}'."
                : MediaTypes.ForeignCharset(http.Request.ContentType) is { } charset && Find(MediaTypes.WithoutParameters(http.Request.ContentType)) is not null
                    ? $"Unsupported charset '{charset}'. Supported: utf-8."
                    : $"Unsupported content type '{http.Request.ContentType}'. Supported: {string.Join(", ", _forms.Select(f => f.TakenType))}.";
        return ProblemBody.WriteAsync(http, new CallFailure(RpcStatus.Unsupported, words), _forms[0].Codec, http.Response.StatusCode);
    }

    private Form<TRequest, TItem, TResponse>? Find(ReadOnlySpan<char> type)
    {
        foreach (var form in _forms)
        {
            if (form.Takes(type))
                return form;
        }

        return null;
    }
}
