using System.Buffers;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;
using Postrider.Rpc.Server;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>Handles the requests to one service.</summary>
internal sealed class SoapEndpoint
{
    private readonly SoapHandler[] _handlers;
    private readonly RpcXmlCodec _codec;
    private readonly Wsdl _wsdl;
    private readonly SoapServerOptions _options;
    private readonly ILogger _logger;
    private readonly SoapReader _reader;
    private readonly OneWayCallQueue _events;

    public SoapEndpoint(RpcService service, XmlContext? context, SoapServerOptions options, OneWayCallQueue events, ILogger logger)
    {
        _events = events;
        _codec = new RpcXmlCodec(context, options.Limits);
        _handlers = [.. service.Operations.Where(o => o.Operation.Kind is OperationKind.Unary or OperationKind.OneWay).Select(o => SoapHandler.Create(o, _codec))];
        (_options, _logger) = (options, logger);
        _reader = new SoapReader(_handlers, options.Limits, options.Authenticate is not null);
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
        if (SoapBody.From(http.Request) is not { } body)
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            http.Response.Headers["Accept-Post"] = $"{SoapNames.Type11}, {SoapNames.Type12}, {MtomPackage.MediaType}";
            return;
        }

        var header = new SoapHeader(body.Presumed);
        SoapCall? call = null;
        CallContext? context = null;
        try
        {
            var (read, request, version) = await body.ReadAsync(http, _reader, _options.MaxMessageBytes).ConfigureAwait(false);
            header = new SoapHeader(version, null, request?.Action is null ? null : read.Handler.ReplyAction, request?.MessageId);
            if (_options.Authenticate is not null)
                await AuthenticateAsync(http, request?.Security).ConfigureAwait(false);
            call = read;
            context = call.Handler.Operation.TakesContext ? Context(http, request) : null;
            if (call.Handler.Operation.Kind == OperationKind.OneWay)
            {
                _events.Post(() => RunAsync(read, context));
                http.Response.StatusCode = StatusCodes.Status202Accepted;
                return;
            }

            await RunInTimeAsync(http, call, context).ConfigureAwait(false);
            if (request?.ReplyTo == SoapAddressing.None)
            {
                http.Response.StatusCode = StatusCodes.Status202Accepted;
                return;
            }

            await WriteAsync(http, call, header with { Headers = context?.ResponseHeadersOrNull }, body.IsPackage).ConfigureAwait(false);
        }
        catch (Exception) when (http.Response.HasStarted)
        {
            // The caller already has a status: only aborting the connection can report the failure.
            http.Abort();
            throw;
        }
        catch (Exception failure)
        {
            await FailAsync(http, failure, call?.Handler.Operation, header with { Headers = context?.ResponseHeadersOrNull }).ConfigureAwait(false);
        }
    }

    private async ValueTask AuthenticateAsync(HttpContext http, SoapSecurity? security)
    {
        if (!http.Request.IsHttps)
            throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "FailedAuthentication", "A username and password are accepted over TLS only.");
        if (security is null)
            throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "InvalidSecurity", "The message has no Security header.");
        security.CheckTime(_options.TimeProvider.GetUtcNow());
        var user = security is { Username: { } name, Password: { } password }
            ? await _options.Authenticate!(new UsernameToken(name, password), http.RequestAborted).ConfigureAwait(false)
            : null;
        http.User = user ?? throw new SoapFaultException(RpcStatus.Unauthenticated, SoapFaultException.Security, "FailedAuthentication", "The username or password is invalid.");
    }

    private async ValueTask RunInTimeAsync(HttpContext http, SoapCall call, CallContext? context)
    {
        if (!call.Handler.Operation.TakesToken || HttpCall.Time(http) is not { } time)
        {
            await call.RunAsync(context, http.RequestAborted).ConfigureAwait(false);
            return;
        }

        using var end = new DeadlineTokenSource(_options.TimeProvider, time, http.RequestAborted);
        try
        {
            await call.RunAsync(context, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.Token.IsCancellationRequested && !http.RequestAborted.IsCancellationRequested)
        {
            throw CallTimeout.Exceeded(call.Handler.Operation.Path);
        }
    }

    private async Task<bool> RunAsync(SoapCall call, CallContext? context)
    {
        try
        {
            await call.RunAsync(context, CancellationToken.None).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure)
        {
            Log.OperationFailed(_logger, failure, call.Handler.Operation.Path);
            return false;
        }
    }

    private async ValueTask WriteAsync(HttpContext http, SoapCall call, SoapHeader header, bool asPackage)
    {
        var attachments = asPackage || http.Request.Headers.Accept.ToString().Contains(MtomPackage.MediaType, StringComparison.OrdinalIgnoreCase) ? new XmlAttachments() : null;
        var type = SoapNames.ContentType(header.Version);
        var buffer = FrameBuffer.Rent();
        byte[] bytes;
        int length;
        try
        {
            call.Write(buffer, header, attachments);
            if (attachments?.Parts.Count > 0)
            {
                var boundary = MtomPackage.NewBoundary();
                type = MtomPackage.ContentType(boundary, header.Version, null);
                var envelope = buffer.Written.ToArray();
                buffer.BeginBody();
                MtomPackage.Write(buffer, envelope, attachments, boundary, header.Version);
            }

            length = buffer.Length;
            bytes = buffer.Detach();
        }
        finally
        {
            buffer.Return();
        }

        try
        {
            http.Response.ContentType = type;
            await SendAsync(http, bytes.AsMemory(0, length)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private async ValueTask SendAsync(HttpContext http, ReadOnlyMemory<byte> bytes)
    {
        if (_options.Compresses)
        {
            http.Response.Headers.Append("Vary", "Accept-Encoding");
            if (bytes.Length >= GzipBody.MinBytes && Accepts(http.Request.Headers.AcceptEncoding.ToString()))
            {
                http.Response.Headers.ContentEncoding = GzipBody.Name;
                bytes = GzipBody.Compress(bytes.Span);
            }
        }

        await HttpCall.SendAsync(http, bytes).ConfigureAwait(false);
    }

    // 'gzip;q=0' rejects it.
    private static bool Accepts(string encodings)
        => encodings.Split(',').Select(e => e.Split(';')).Any(e => e[0].Trim().Equals(GzipBody.Name, StringComparison.OrdinalIgnoreCase)
            && !(e.Length > 1 && e[1].Replace(" ", "", StringComparison.Ordinal) is "q=0" or "q=0.0" or "q=0.00" or "q=0.000"));

    private async ValueTask FailAsync(HttpContext http, Exception failure, Operation? operation, SoapHeader header)
    {
        var described = failure switch
        {
            XmlDataException bad => new CallFailure(RpcStatus.InvalidData, bad.Message),
            BadHttpRequestException bad => new CallFailure(HttpNames.FromHttp(bad.StatusCode), bad.Message),
            RpcException known when operation is null => new CallFailure(known.Status, known.Message),
            _ when operation is not null => CallFailure.From(failure, operation, _codec, _options.EnableDetailedErrors),
            _ => new CallFailure(RpcStatus.Internal, "The operation failed."),
        };
        if (described.Status == RpcStatus.Internal)
            Log.OperationFailed(_logger, failure, operation?.Path ?? http.Request.Path);
        if (http.RequestAborted.IsCancellationRequested)
            return;

        var code = failure as SoapFaultException;
        if (code is not null || header.Action is not null)
            header = header with { Action = code?.Space == SoapFaultException.Addressing ? SoapAddressing.FaultAction : header.Action is null ? null : SoapAddressing.SoapFaultAction };
        var output = new ArrayBufferWriter<byte>();
        SoapFault.Write(output, described, header, failure);

        // 500 for every fault: besides 200 it is the only status for which WCF reads the envelope.
        http.Response.StatusCode = StatusCodes.Status500InternalServerError;
        http.Response.Headers[HttpNames.Status] = described.Status.ToString();
        http.Response.ContentType = SoapNames.ContentType(header.Version);
        await SendAsync(http, output.WrittenMemory).ConfigureAwait(false);
    }

    private static CallContext Context(HttpContext http, SoapRequest? request)
    {
        var context = HttpCall.NewContext(http, HttpCall.Time(http));
        foreach (var (name, values) in http.Request.Headers)
        {
            if (HttpNames.IsCalls(name) && !name.Equals("SOAPAction", StringComparison.OrdinalIgnoreCase) && values.ToString() is var value && RpcHeaders.IsValue(value))
                context.Headers[name] = value;
        }

        foreach (var (name, value) in request?.Headers ?? [])
            context.Headers[name] = value;
        return context;
    }
}
