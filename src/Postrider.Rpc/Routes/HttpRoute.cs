using Postrider.Rpc.Routes;

namespace Postrider.Rpc;

/// <summary>The HTTP route of an operation.</summary>
public abstract class HttpRoute
{
    private protected HttpRoute(string method, string template, bool hasBody, IReadOnlyList<HttpParameter> parameters)
        => (Method, Template, HasBody, Parameters, Pieces) = (method, template, hasBody, parameters, RouteSegment.Read(template));

    /// <summary>The HTTP method in upper case.</summary>
    public string Method { get; }

    /// <summary>The path template without leading '/': <c>orders/{id}</c>, <c>files/{**path}</c>.</summary>
    public string Template { get; }

    /// <summary>Whether requests have a body.</summary>
    public bool HasBody { get; }

    /// <summary>The parameters outside the body.</summary>
    public IReadOnlyList<HttpParameter> Parameters { get; }

    internal IReadOnlyList<RouteSegment> Pieces { get; }

    /// <summary>The type of the body.</summary>
    internal abstract Type BodyType { get; }
}

/// <summary>The HTTP route of an operation, with its message type.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
public abstract class HttpRoute<TRequest> : HttpRoute
{
    private protected HttpRoute(string method, string template, bool hasBody, IReadOnlyList<HttpParameter> parameters)
        : base(method, template, hasBody, parameters)
    {
    }

    /// <summary>Writes the path, query and headers of a request.</summary>
    internal abstract void Fill(HttpRequestTarget target, TRequest request);

    /// <summary>Creates the binding of the message for a codec.</summary>
    /// <param name="codec">The codec.</param>
    /// <param name="isBodyOptional">Whether an empty body is read as null.</param>
    internal abstract RouteBinding<TRequest> Bind(RpcCodec codec, bool isBodyOptional = false);
}
