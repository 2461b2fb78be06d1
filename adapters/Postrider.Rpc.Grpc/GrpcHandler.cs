using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Server;

namespace Postrider.Rpc.Grpc;

/// <summary>Handles gRPC calls of one operation.</summary>
/// <remarks>A response starts with its first message: an earlier failure is sent as headers only, a later one in the trailers.</remarks>
internal sealed class GrpcHandler<TRequest, TItem, TResponse>(
    OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, bool compressResponses, OneWayCallQueue events, ILogger logger)
{
    private readonly GrpcBinding<TRequest, TItem, TResponse>[] _bindings =
        [.. codecs.Select(codec => new GrpcBinding<TRequest, TItem, TResponse>(new(endpoint.Contract, codec), options.MaxMessageBytes))];

    private readonly bool _takesItems = endpoint.Contract.Kind is OperationKind.ClientStream or OperationKind.Duplex;
    private readonly bool _givesItems = endpoint.Contract.Kind is OperationKind.ServerStream or OperationKind.Duplex;

    private Operation Operation => endpoint.Contract;

    public async Task HandleAsync(HttpContext http)
    {
        if (HttpProtocol.IsHttp11(http.Request.Protocol) || Find(http.Request.ContentType) is not { } binding)
        {
            GrpcCall.Reject(http, _bindings.Select(f => f.Plain.ContentType));
            return;
        }

        HttpCall.LiftLimits(http);
        http.Response.ContentType = binding.Plain.ContentType;
        CallContext? context = null;
        try
        {
            var time = GrpcCall.Time(http);
            context = Operation.TakesContext ? GrpcCall.Context(http, time) : null;
            using var records = new StreamRecordReader(
                http.Request.BodyReader, GrpcCall.IsZipped(http) ? binding.Zipped : binding.Plain, options.MaxMessageBytes, failure => failure.ToException(Operation, binding.Codec),
                HttpCall.Unreadable);
            using var end = new DeadlineTokenSource(options.TimeProvider, time, http.RequestAborted);
            try
            {
                await AnswerAsync(http, binding, records, context, end).ConfigureAwait(false);
                GrpcCall.End(http, context);
            }
            catch (Exception failure)
            {
                throw DeadlineCall.Translate(failure, Operation, end, http.RequestAborted);
            }
        }
        catch (Exception failure)
        {
            var described = HttpCall.Describe(failure, Operation, binding.Codec, options, logger);
            if (!http.RequestAborted.IsCancellationRequested)
                GrpcCall.Fail(http, described, Operation, binding.Codec, context);
        }
    }

    private GrpcBinding<TRequest, TItem, TResponse>? Find(string? contentType)
    {
        var type = MediaTypes.WithoutParameters(contentType);
        GrpcBinding<TRequest, TItem, TResponse>? first = null;
        foreach (var binding in _bindings)
        {
            if (binding.Accepts(type, isFirst: false))
                return binding;
            if (binding.Accepts(type, isFirst: true))
                first ??= binding;
        }

        return first;
    }

    private async ValueTask AnswerAsync(HttpContext http, GrpcBinding<TRequest, TItem, TResponse> binding, StreamRecordReader records, CallContext? context, DeadlineTokenSource end)
    {
        var request = await ReadAsync(binding, records, end.Token).ConfigureAwait(false);
        var items = _takesItems ? records.ReadItemsAsync(binding.Item, end.Token) : null;
        if (_givesItems)
        {
            await StreamAsync(http, binding, request, items, context, end).ConfigureAwait(false);
            return;
        }

        TResponse? response = default;
        if (Operation.Kind == OperationKind.OneWay)
            events.Post(() => RunAsync(request, context));
        else
            response = await endpoint.CallAsync(request, items, context, end.Token).ConfigureAwait(false);

        // Not flushed: headers, message and trailers are sent together when the handler ends.
        GrpcCall.AddHeaders(http, context);
        FramingFor(http, binding, context).Write(http.Response.BodyWriter, binding.Response, response!);
    }

    private async ValueTask<TRequest> ReadAsync(GrpcBinding<TRequest, TItem, TResponse> binding, StreamRecordReader records, CancellationToken ct)
    {
        if (_takesItems)
            return await records.ReadMessageAsync(binding.Request, ct).ConfigureAwait(false);
        var (isThere, request) = await records.ReadItemAsync(binding.Request, ct).ConfigureAwait(false);
        if (!isThere)
            throw new RpcException(RpcStatus.InvalidData, $"{Operation.Path} requires a message, but none was received.");
        return (await records.ReadItemAsync(binding.Request, ct).ConfigureAwait(false)).IsThere
            ? throw new RpcException(RpcStatus.InvalidData, $"{Operation.Path} accepts one message, but more were received.")
            : request!;
    }

    private async ValueTask StreamAsync(
        HttpContext http, GrpcBinding<TRequest, TItem, TResponse> binding, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, DeadlineTokenSource end)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
        var answers = endpoint.StreamAsync(request, items, context, gone.Token).GetAsyncEnumerator(gone.Token);
        await using (answers.ConfigureAwait(false))
        {
            var isThere = await answers.MoveNextAsync().ConfigureAwait(false);
            GrpcCall.AddHeaders(http, context);
            var framing = FramingFor(http, binding, context);
            await http.Response.StartAsync(CancellationToken.None).ConfigureAwait(false);
            if (isThere)
                await StreamItemWriter.WriteAsync(answers, http.Response.BodyWriter, framing, binding.Response, gone, http.RequestAborted).ConfigureAwait(false);
        }
    }

    // The framing of the response: each item may be compressed or not, whatever the first one is.
    private GrpcMessageFraming FramingFor(HttpContext http, GrpcBinding<TRequest, TItem, TResponse> binding, CallContext? context)
    {
        var choice = GrpcCompression.Choice(context?.InitialHeadersOrNull);
        var mayCompress = choice is null ? compressResponses : choice.Value || _givesItems;
        if (!mayCompress || !GrpcCall.AcceptsZipped(http))
            return binding.Plain;
        http.Response.Headers[GrpcNames.Encoding] = GrpcNames.Gzip;
        return choice is null || !_givesItems ? binding.Compressing : ChangingFraming(binding, context!);
    }

    // Separate from the method above, whose calls would otherwise each allocate the captured state.
    private GrpcMessageFraming ChangingFraming(GrpcBinding<TRequest, TItem, TResponse> binding, CallContext context)
        => new(binding.Plain.ContentType, isZipped: false, options.MaxMessageBytes, () => GrpcCompression.Choice(context.InitialHeadersOrNull) ?? compressResponses);

    private async Task<bool> RunAsync(TRequest request, CallContext? context)
    {
        try
        {
            await endpoint.CallAsync(request, null, context, CancellationToken.None).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure)
        {
            Log.OperationFailed(logger, failure, Operation.Path);
            return false;
        }
    }
}
