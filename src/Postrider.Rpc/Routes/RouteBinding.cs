using System.Buffers;

namespace Postrider.Rpc.Routes;

/// <summary>A routed operation's message in one codec.</summary>
/// <param name="body">The serializer of the body alone.</param>
/// <param name="writer">Writes a message's body.</param>
/// <param name="reader">Creates a message from a request's values and its body.</param>
internal sealed class RouteBinding<TRequest>(object body, RpcFormatter<TRequest> writer, RouteBinding<TRequest>.Reader reader)
{
    /// <summary>Creates a message from a request's values and its body.</summary>
    public delegate TRequest Reader(HttpRequestValues inputs, in ReadOnlySequence<byte> body);

    public object Body => body;

    public RpcFormatter<TRequest> Writer => writer;

    public TRequest Read(HttpRequestValues inputs, in ReadOnlySequence<byte> content) => reader(inputs, content);
}
