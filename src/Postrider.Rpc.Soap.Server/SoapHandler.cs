using Postrider.Rpc.Framing;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Reads, runs and responds to the calls of one operation.</summary>
internal abstract class SoapHandler(Operation operation)
{
    public Operation Operation { get; } = operation;

    public string Action { get; } = SoapNames.Action(operation);

    public string ReplyAction { get; } = SoapNames.ReplyAction(operation);

    public abstract byte[] Element { get; }

    public abstract byte[] Namespace { get; }

    /// <summary>The request's body has to be empty.</summary>
    public abstract bool IsEmpty { get; }

    /// <summary>The element of the response's body; null for none.</summary>
    public abstract (string Name, string Namespace)? Answer { get; }

    public abstract IEnumerable<KeyValuePair<string, XmlType>> RequestParts { get; }

    public abstract IEnumerable<KeyValuePair<string, XmlType>> ResponseParts { get; }

    /// <summary>Reads the call at the reader's position.</summary>
    /// <param name="reader">Positioned at the body's element, or after an empty body.</param>
    /// <param name="isThere">There is an element.</param>
    public abstract SoapCall Read(ref ElementReader reader, bool isThere);

    public static SoapHandler Create(OperationEndpoint endpoint, RpcXmlCodec codec) => endpoint.Accept(new Maker(codec));

    private sealed class Maker(RpcXmlCodec codec) : IEndpointVisitor<SoapHandler>
    {
        public SoapHandler Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
            => new OfT<TRequest, TItem, TResponse>(endpoint, codec);
    }

    private sealed class OfT<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint, RpcXmlCodec codec) : SoapHandler(endpoint.Contract)
    {
        private readonly SoapMessage<TRequest> _request = new(
            endpoint.Contract.Name, endpoint.Contract.Namespace, endpoint.Contract.ParameterNames, endpoint.Contract.RequestFormatter(codec), endpoint.Contract.IsBare);

        private readonly SoapMessage<TResponse> _response = new(
            endpoint.Contract.Name + "Response", endpoint.Contract.Namespace, endpoint.Contract.ResultNames, endpoint.Contract.ResponseFormatter(codec), endpoint.Contract.IsBare);

        private readonly byte[] _space = SoapNames.Utf8(endpoint.Contract.Namespace);

        public override byte[] Element => _request.Element;

        public override byte[] Namespace => _request.Namespace;

        public override bool IsEmpty => _request.IsEmpty;

        public override (string Name, string Namespace)? Answer
            => _response.IsEmpty ? null : (System.Text.Encoding.UTF8.GetString(_response.Element), System.Text.Encoding.UTF8.GetString(_response.Namespace));

        public override IEnumerable<KeyValuePair<string, XmlType>> RequestParts => _request.Parts;

        public override IEnumerable<KeyValuePair<string, XmlType>> ResponseParts => _response.Parts;

        public override SoapCall Read(ref ElementReader reader, bool isThere) => new Call(this, isThere ? _request.Read(ref reader) : default!);

        private sealed class Call(OfT<TRequest, TItem, TResponse> handler, TRequest request) : SoapCall(handler)
        {
            private TResponse _answer = default!;

            public override async ValueTask RunAsync(CallContext? context, CancellationToken ct)
                => _answer = await handler.Endpoint.CallAsync(request, null, context, ct).ConfigureAwait(false);

            public override void Write(FrameBuffer output, in SoapHeader header, XmlAttachments? attachments)
                => handler._response.Write(output, _answer, header, handler._space, attachments);
        }

        private OperationEndpoint<TRequest, TItem, TResponse> Endpoint => endpoint;
    }
}
