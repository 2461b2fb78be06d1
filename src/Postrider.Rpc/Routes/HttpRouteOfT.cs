using System.Buffers;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Routes;
using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>The HTTP route of an operation, with its types. Created by generated code.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TBody">The type of the body, or <see cref="Unit"/>.</typeparam>
/// <param name="method">The HTTP method in upper case.</param>
/// <param name="template">The path template without leading '/'.</param>
/// <param name="parameters">The parameters outside the body.</param>
/// <param name="body">Creates the body's formatter.</param>
/// <param name="fill">Writes the parameters outside the body.</param>
/// <param name="take">Extracts the body from a message.</param>
/// <param name="join">Creates a message from the parameters and the body.</param>
public sealed class HttpRoute<TRequest, TBody>(
    string method, string template, IReadOnlyList<HttpParameter> parameters, Func<RpcCodec, RpcFormatter<TBody>> body,
    Action<HttpRequestTarget, TRequest> fill, Func<TRequest, TBody> take, Func<HttpRequestValues, TBody, TRequest> join)
    : HttpRoute<TRequest>(method, template, typeof(TBody) != typeof(Unit), parameters)
{
    internal override Type BodyType => typeof(TBody);

    internal override void Fill(HttpRequestTarget target, TRequest request) => fill(target, request);

    internal override RouteBinding<TRequest> Bind(RpcCodec codec, bool isBodyOptional = false)
    {
        var formatter = body(codec);
        var read = isBodyOptional ? new RpcFormatter<TBody>(new OptionalSerializer<TBody>(formatter.Serializer)) : formatter;
        return new(formatter.Serializer, new(new Writer(formatter.Serializer, take)), (HttpRequestValues inputs, in ReadOnlySequence<byte> content) => join(inputs, read.Read(content)));
    }

    private sealed class Writer(Serializer<TBody> body, Func<TRequest, TBody> take) : Serializer<TRequest>
    {
        public override string ContentType => body.ContentType;

        public override void Write(IBufferWriter<byte> output, TRequest value) => body.Write(output, take(value));

        public override TRequest Read(ReadOnlySpan<byte> input) => throw new NotSupportedException("A routed message is read together with the values of its request.");
    }
}
