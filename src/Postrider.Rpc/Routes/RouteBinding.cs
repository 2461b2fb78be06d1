namespace Postrider.Rpc.Routes;

/// <summary>A routed operation's message in one codec.</summary>
/// <param name="body">The formatter of the body alone.</param>
/// <param name="writer">Writes a message's body.</param>
/// <param name="reader">Makes what reads a message of a request's inputs and its body.</param>
internal sealed class RouteBinding<TRequest>(object body, RpcFormatter<TRequest> writer, Func<HttpRequestValues, RpcFormatter<TRequest>> reader)
{
    public object Body => body;

    public RpcFormatter<TRequest> Writer => writer;

    public RpcFormatter<TRequest> Reader(HttpRequestValues inputs) => reader(inputs);
}
