using Postrider.Rpc.Routes;

namespace Postrider.Rpc;

/// <summary>How an operation is reached over HTTP when it has a path of its own.</summary>
public abstract class HttpRoute
{
    private protected HttpRoute(string method, string template, bool hasBody, IReadOnlyList<HttpParameter> parameters)
        => (Method, Template, HasBody, Parameters, Pieces) = (method, template, hasBody, parameters, RouteSegment.Read(template));

    /// <summary>HTTP's method, in capitals.</summary>
    public string Method { get; }

    /// <summary>The path without '/' at its beginning, its parameters in braces: <c>orders/{id}</c>, <c>files/{**path}</c>.</summary>
    public string Template { get; }

    /// <summary>A message or a part of it is the body.</summary>
    public bool HasBody { get; }

    /// <summary>The parameters that stand beside the body.</summary>
    public IReadOnlyList<HttpParameter> Parameters { get; }

    internal IReadOnlyList<RouteSegment> Pieces { get; }

    /// <summary>The type of the body.</summary>
    internal abstract Type BodyType { get; }
}

/// <summary>How an operation is reached over HTTP when it has a path of its own, with its message.</summary>
/// <typeparam name="TRequest">The message there.</typeparam>
public abstract class HttpRoute<TRequest> : HttpRoute
{
    private protected HttpRoute(string method, string template, bool hasBody, IReadOnlyList<HttpParameter> parameters)
        : base(method, template, hasBody, parameters)
    {
    }

    /// <summary>Fills path, query and headers of a request.</summary>
    internal abstract void Fill(HttpRequestTarget target, TRequest request);

    /// <summary>Puts the message together in one codec's form.</summary>
    /// <param name="codec">The form.</param>
    /// <param name="isBodyOptional">An empty body is read as null.</param>
    internal abstract RouteBinding<TRequest> Bind(RpcCodec codec, bool isBodyOptional = false);
}
