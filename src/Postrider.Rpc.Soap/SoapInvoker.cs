using System.Buffers;
using System.Globalization;
using System.Net.Http.Headers;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>Calls one operation by SOAP.</summary>
internal sealed class SoapInvoker<TRequest, TItem, TResponse> : OperationInvoker<TRequest, TItem, TResponse>
{
    private const string Accepted = $"{SoapNames.Type11}, {SoapNames.Type12}, {MtomPackage.MediaType}";

    private readonly SharedHttpInvoker _http;
    private readonly Uri _address;
    private readonly Operation<TRequest, TItem, TResponse> _operation;
    private readonly SoapChannelOptions _options;
    private readonly SoapMessage<TRequest> _request;
    private readonly SoapMessage<TResponse> _response;
    private readonly SoapFaultReader[] _faults;
    private readonly MediaTypeHeaderValue _contentType;
    private readonly string _action;
    private readonly string _quotedAction;
    private readonly byte[] _space;

    public SoapInvoker(SharedHttpInvoker http, Uri address, Operation<TRequest, TItem, TResponse> operation, RpcXmlCodec codec, SoapChannelOptions options)
    {
        (_http, _address, _operation, _options) = (http, address, operation, options);
        _request = new SoapMessage<TRequest>(operation.Name, operation.Namespace, operation.ParameterNames, operation.RequestFormatter(codec), operation.IsBare);
        _response = new SoapMessage<TResponse>(operation.Name + "Response", operation.Namespace, operation.ResultNames, operation.ResponseFormatter(codec), operation.IsBare);
        _space = SoapNames.Utf8(operation.Namespace);
        _faults = SoapFaultReader.For(operation, codec);
        _action = SoapNames.Action(operation);
        _quotedAction = $"\"{_action}\"";
        _contentType = MediaTypeHeaderValue.Parse(SoapNames.ContentType(options.Version));
        if (options.Version == SoapVersion.Soap12)
            _contentType.Parameters.Add(new NameValueHeaderValue("action", $"\"{_action}\""));
    }

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => items is not null ? throw Unsupported()
        : ct.IsCancellationRequested ? ValueTask.FromCanceled<TResponse>(ct)
        : SendAsync(request, context, ct);

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => throw Unsupported();

    private async ValueTask<TResponse> SendAsync(TRequest request, CallContext? context, CancellationToken ct)
    {
        using var limit = new DeadlineTokenSource(_options.TimeProvider, CallTimeout.Start(_operation.Path, context, _options.Timeout), ct, _http.Closing);
        try
        {
            using var message = Message(request, context);
            using var response = await _http.SendAsync(message, limit.Token).ConfigureAwait(false);
            return await ReadAsync(response, context, limit.Token).ConfigureAwait(false);
        }
        catch (XmlDataException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, $"The response of {_operation.Path} cannot be read: {bad.Message}", bad);
        }
        catch (Exception failure) when (failure is not RpcException)
        {
            throw ProblemDetailsMapping.Translate(failure, _operation, _address, limit, _http.Closing, ct);
        }
    }

    private HttpRequestMessage Message(TRequest request, CallContext? context)
    {
        var message = new HttpRequestMessage(HttpMethod.Post, _address);
        if (_options.Version == SoapVersion.Soap11)
            message.Headers.TryAddWithoutValidation("SOAPAction", _quotedAction);
        if (CallTimeout.ToWire(context) is { } time)
            message.Headers.Add(HttpNames.Timeout, Math.Ceiling(time.TotalMilliseconds).ToString(CultureInfo.InvariantCulture));
        foreach (var (name, value) in context?.HeadersOrNull ?? [])
        {
            if (!SoapEnvelope.IsBlock(name))
                message.Headers.TryAddWithoutValidation(name, value);
        }

        message.Headers.TryAddWithoutValidation("Accept", Accepted);
        var buffer = FrameBuffer.Rent();
        try
        {
            var attachments = _options.UsesAttachments ? new XmlAttachments() : null;
            var header = new SoapHeader(
                _options.Version, context?.HeadersOrNull, _options.UsesAddressing ? _action : null, null, _options.UsesAddressing ? _address.AbsoluteUri : null, _options.Token, _options.TimeProvider.GetUtcNow());
            _request.Write(buffer, request, header, _space, attachments);
            message.Content = Content(buffer, attachments);
            return message;
        }
        finally
        {
            buffer.Return();
        }
    }

    private HttpContent Content(FrameBuffer buffer, XmlAttachments? attachments)
    {
        var type = _contentType;
        if (attachments?.Parts.Count > 0)
        {
            var boundary = MtomPackage.NewBoundary();
            type = MediaTypeHeaderValue.Parse(MtomPackage.ContentType(boundary, _options.Version, _action));
            var envelope = buffer.Written.ToArray();
            buffer.BeginBody();
            MtomPackage.Write(buffer, envelope, attachments, boundary, _options.Version);
        }

        if (_options.Compresses && buffer.Length >= GzipBody.MinBytes)
        {
            var packed = new ByteArrayContent(GzipBody.Compress(buffer.Written));
            packed.Headers.ContentType = type;
            packed.Headers.ContentEncoding.Add(GzipBody.Name);
            return packed;
        }

        var length = buffer.Length;
        return new PooledContent(buffer.Detach(), length, type);
    }

    private async ValueTask<TResponse> ReadAsync(HttpResponseMessage response, CallContext? context, CancellationToken ct)
    {
        var type = response.Content.Headers.ContentType?.MediaType;
        var isPackage = MtomPackage.TryParse(response.Content.Headers.ContentType?.ToString(), out var boundary, out var start);
        var isEnvelope = isPackage || SoapNames.Type11.Equals(type, StringComparison.OrdinalIgnoreCase) || SoapNames.Type12.Equals(type, StringComparison.OrdinalIgnoreCase);
        if (!isEnvelope)
        {
            if (_operation.Kind == OperationKind.OneWay && response.IsSuccessStatusCode)
                return default!;
            var status = response.IsSuccessStatusCode ? RpcStatus.InvalidData : HttpNames.FromHttp((int)response.StatusCode);
            throw new RpcException(status, $"{_operation.Path} failed with HTTP status {(int)response.StatusCode} and no envelope at {_address}.");
        }

        var told = response.Headers.NonValidated.TryGetValues(HttpNames.Status, out var text) && Enum.TryParse<RpcStatus>(text.ToString(), out var parsed) ? parsed : (RpcStatus?)null;
        var (bytes, length) = await HttpResponseReader.ReadBytesAsync(response.Content, _options.MaxMessageBytes, ct).ConfigureAwait(false);
        try
        {
            // Values read from attachments are copies.
            XmlAttachments? attachments = null;
            var envelope = isPackage ? MtomPackage.Read(bytes.AsMemory(0, length), boundary, start, out attachments) : bytes.AsMemory(0, length);
            return Read(envelope.Span, context, told, attachments);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private TResponse Read(ReadOnlySpan<byte> bytes, CallContext? context, RpcStatus? told, XmlAttachments? attachments)
    {
        // The response to a one-way call may be an empty envelope, or nothing.
        if (bytes.IsEmpty && _operation.Kind == OperationKind.OneWay)
            return default!;
        var reader = new ElementReader(bytes, _options.Limits, attachments);
        var version = SoapEnvelope.Enter(ref reader, out var envelope);
        var isThere = SoapEnvelope.MoveToBody(ref reader, envelope, version, _space, out var headers, out var body);
        foreach (var (name, value) in (context is null ? null : headers?.Headers) ?? [])
            context!.ResponseHeaders[name] = value;
        if (!isThere)
        {
            return typeof(TResponse) == typeof(Unit) ? default! : throw new RpcException(RpcStatus.InvalidData, $"The response of {_operation.Path} has an empty Body.");
        }

        if (reader.Is("Fault"u8, SoapNames.EnvelopeNamespace(version)))
            throw SoapFault.Read(ref reader, _operation, _faults, told);
        if (!reader.IsIn(_response.Namespace))
            throw new RpcException(RpcStatus.InvalidData, $"Unexpected response element {reader.Describe()} for {_operation.Path}.");
        var answer = _response.Read(ref reader);
        SoapEnvelope.Leave(ref reader, envelope, body);
        return answer;
    }

    private RpcException Unsupported() => new(RpcStatus.Unsupported, $"{_operation.Path} is a streaming operation, which SOAP does not support.");
}
