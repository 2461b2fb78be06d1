using System.Buffers;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Soap;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Server.Soap;

/// <summary>Answers the requests to one service.</summary>
internal sealed class SoapEndpoint
{
    private readonly SoapHandler[] _handlers;
    private readonly RpcXmlCodec _codec;
    private readonly Wsdl _wsdl;
    private readonly SoapServerOptions _options;
    private readonly ILogger _logger;
    private readonly byte[] _namespace;

    public SoapEndpoint(ServiceEndpoint service, XmlContext? context, SoapServerOptions options, ILogger logger)
    {
        _codec = new RpcXmlCodec(context, options.Limits);
        _handlers = [.. service.Operations.Where(o => o.Operation.Kind is OperationKind.Unary or OperationKind.OneWay).Select(o => SoapHandler.Of(o, _codec))];
        (_options, _logger) = (options, logger);
        _namespace = _handlers.FirstOrDefault()?.Namespace ?? [];
        _wsdl = new Wsdl(service, _handlers, _codec);
    }

    public Task HandleAsync(HttpContext http) => HttpMethods.IsGet(http.Request.Method) ? DescribeAsync(http) : CallAsync(http);

    private async Task DescribeAsync(HttpContext http)
    {
        var query = http.Request.Query;
        var address = _options.PublicAddress?.AbsoluteUri ?? $"{http.Request.Scheme}://{http.Request.Host}{http.Request.PathBase}{http.Request.Path}";
        var document = query.ContainsKey("singleWsdl") ? _wsdl.Single(address)
            : query.ContainsKey("wsdl") ? _wsdl.Definitions(address)
            : query.TryGetValue("xsd", out var schema) ? _wsdl.Schema(schema.ToString(), address)
            : null;
        if (document is null)
        {
            http.Response.StatusCode = StatusCodes.Status405MethodNotAllowed;
            http.Response.Headers.Allow = "POST";
            return;
        }

        http.Response.ContentType = SoapNames.ContentType(SoapVersion.Soap11);
        http.Response.ContentLength = document.Length;
        await http.Response.BodyWriter.WriteAsync(document, http.RequestAborted).ConfigureAwait(false);
    }

    private async Task CallAsync(HttpContext http)
    {
        if (Version(http) is not { } version)
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            http.Response.Headers["Accept-Post"] = $"{SoapNames.Type11}, {SoapNames.Type12}";
            return;
        }

        var header = new SoapHeader(version);
        SoapCall? call = null;
        CallContext? context = null;
        try
        {
            SoapRequest? request;
            (call, request, version) = await ReadAsync(http, version).ConfigureAwait(false);
            header = new SoapHeader(version, null, request?.Action is null ? null : call.Handler.ReplyAction, request?.MessageId);
            context = call.Handler.Operation.TakesContext ? Context(http, request) : null;
            if (call.Handler.Operation.Kind == OperationKind.OneWay)
            {
                http.Response.StatusCode = StatusCodes.Status202Accepted;
                _ = RunAsync(call, context);
                return;
            }

            await RunInTimeAsync(http, call, context).ConfigureAwait(false);
            await WriteAsync(http, call, header with { Headers = context?.ResponseHeadersOrNull }).ConfigureAwait(false);
        }
        catch (Exception) when (http.Response.HasStarted)
        {
            // The caller has a status already: only the connection's end can tell it.
            http.Abort();
            throw;
        }
        catch (Exception failure)
        {
            await FailAsync(http, failure, call?.Handler.Operation, header with { Headers = context?.ResponseHeadersOrNull }).ConfigureAwait(false);
        }
    }

    private static SoapVersion? Version(HttpContext http)
    {
        var type = MediaTypes.WithoutParameters(http.Request.ContentType);
        return type.Equals(SoapNames.Type11, StringComparison.OrdinalIgnoreCase) ? SoapVersion.Soap11
            : type.Equals(SoapNames.Type12, StringComparison.OrdinalIgnoreCase) ? SoapVersion.Soap12
            : null;
    }

    private async ValueTask<(SoapCall Call, SoapRequest? Request, SoapVersion Version)> ReadAsync(HttpContext http, SoapVersion expected)
    {
        if (http.Request.ContentLength > _options.MaxMessageBytes)
            throw TooLarge(http.Request.ContentLength.Value);
        var pipe = http.Request.BodyReader;
        while (true)
        {
            var read = await pipe.ReadAsync(http.RequestAborted).ConfigureAwait(false);
            if (read.Buffer.Length > _options.MaxMessageBytes)
                throw TooLarge(read.Buffer.Length);
            if (!read.IsCompleted)
            {
                pipe.AdvanceTo(read.Buffer.Start, read.Buffer.End);
                continue;
            }

            try
            {
                if (read.Buffer.IsSingleSegment)
                    return Read(read.Buffer.FirstSpan, expected);
                var length = (int)read.Buffer.Length;
                var rented = ArrayPool<byte>.Shared.Rent(length);
                try
                {
                    read.Buffer.CopyTo(rented);
                    return Read(rented.AsSpan(0, length), expected);
                }
                finally
                {
                    ArrayPool<byte>.Shared.Return(rented);
                }
            }
            finally
            {
                pipe.AdvanceTo(read.Buffer.End);
            }
        }
    }

    private (SoapCall Call, SoapRequest? Request, SoapVersion Version) Read(ReadOnlySpan<byte> bytes, SoapVersion expected)
    {
        var reader = new ElementReader(bytes, _options.Limits);
        var version = SoapEnvelope.Enter(ref reader, out var envelope);
        if (version != expected)
            throw new RpcException(RpcStatus.Unsupported, $"The envelope is of {version}, the content type is that of {expected}.");
        if (!SoapEnvelope.MoveToBody(ref reader, envelope, version, _namespace, out var request, out var body))
            throw new RpcException(RpcStatus.NotFound, "The Body is empty: it names no operation.");
        var handler = Find(ref reader) ?? throw new RpcException(RpcStatus.NotFound, $"There is no operation {reader.Describe()}.");
        var call = handler.Read(ref reader);
        SoapEnvelope.Leave(ref reader, envelope, body);
        var demanded = request?.NotUnderstood ?? (handler.Operation.TakesContext ? null : request?.Demanded);
        if (demanded is not null)
            throw new MustUnderstandException(demanded);
        return (call, request, version);
    }

    private SoapHandler? Find(ref ElementReader reader)
    {
        foreach (var handler in _handlers)
        {
            if (reader.Is(handler.Element, handler.Namespace))
                return handler;
        }

        return null;
    }

    private async ValueTask RunInTimeAsync(HttpContext http, SoapCall call, CallContext? context)
    {
        if (!call.Handler.Operation.TakesToken || HttpCall.Time(http) is not { } time)
        {
            await call.RunAsync(context, http.RequestAborted).ConfigureAwait(false);
            return;
        }

        using var end = new Limit(_options.TimeProvider, time, http.RequestAborted);
        try
        {
            await call.RunAsync(context, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.Token.IsCancellationRequested && !http.RequestAborted.IsCancellationRequested)
        {
            throw new RpcException(RpcStatus.DeadlineExceeded, $"{call.Handler.Operation.Path} took longer than it may.");
        }
    }

    private async Task RunAsync(SoapCall call, CallContext? context)
    {
        // The answer goes out before the operation runs, and the operation may block.
        await Task.Yield();
        try
        {
            await call.RunAsync(context, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            Log.OperationFailed(_logger, failure, call.Handler.Operation.Path);
        }
    }

    private static async ValueTask WriteAsync(HttpContext http, SoapCall call, SoapHeader header)
    {
        var buffer = FrameBuffer.Rent();
        byte[] bytes;
        int length;
        try
        {
            buffer.BeginBody();
            call.Write(buffer, header);
            length = buffer.Length;
            bytes = buffer.Detach();
        }
        finally
        {
            buffer.Return();
        }

        try
        {
            http.Response.ContentType = SoapNames.ContentType(header.Version);
            http.Response.ContentLength = length;
            await http.Response.BodyWriter.WriteAsync(bytes.AsMemory(0, length), CancellationToken.None).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private async ValueTask FailAsync(HttpContext http, Exception failure, Operation? operation, SoapHeader header)
    {
        var described = failure switch
        {
            XmlDataException bad => new CallFailure(RpcStatus.InvalidData, bad.Message),
            BadHttpRequestException bad => new CallFailure(HttpNames.FromHttp(bad.StatusCode), bad.Message),
            RpcException known when operation is null => new CallFailure(known.Status, known.Message),
            _ when operation is not null => CallFailure.Of(failure, operation, _codec, _options.ShowsErrors),
            _ => new CallFailure(RpcStatus.Internal, "The operation failed."),
        };
        if (described.Status == RpcStatus.Internal)
            Log.OperationFailed(_logger, failure, operation?.Path ?? http.Request.Path);
        if (http.RequestAborted.IsCancellationRequested)
            return;

        var output = new ArrayBufferWriter<byte>();
        SoapFault.Write(output, described, header, failure is MustUnderstandException);

        // 500 whoever is to blame: it is the one status beside 200 that WCF reads an envelope of.
        http.Response.StatusCode = StatusCodes.Status500InternalServerError;
        http.Response.Headers[HttpNames.Status] = described.Status.ToString();
        http.Response.ContentType = SoapNames.ContentType(header.Version);
        http.Response.ContentLength = output.WrittenCount;
        await http.Response.BodyWriter.WriteAsync(output.WrittenMemory, CancellationToken.None).ConfigureAwait(false);
    }

    private static CallContext Context(HttpContext http, SoapRequest? request)
    {
        var context = new CallContext { Peer = http.Connection.RemoteIpAddress?.ToString(), Timeout = HttpCall.Time(http) };
        foreach (var (name, values) in http.Request.Headers)
        {
            if (HttpNames.IsCalls(name) && !name.Equals("SOAPAction", StringComparison.OrdinalIgnoreCase) && values.ToString() is var value && RpcHeaders.IsValue(value))
                context.Headers[name] = value;
        }

        foreach (var (name, value) in request?.Headers ?? [])
            context.Headers[name] = value;
        return context;
    }

    private RpcException TooLarge(long bytes) => new(RpcStatus.TooLarge, $"An envelope of {bytes} bytes exceeds the limit {_options.MaxMessageBytes}.");

    /// <summary>A header block that has to be understood and is not.</summary>
    private sealed class MustUnderstandException(string block) : RpcException(RpcStatus.Unsupported, $"The header {block} has to be understood, and is not.");
}
