using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server.Grpc;

/// <summary>Answers gRPC's calls of one operation.</summary>
/// <remarks>An answer begins with its first message: what fails before is headers alone, what fails later stands in the trailers.</remarks>
internal sealed class GrpcHandler<TRequest, TItem, TResponse>(
    OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, RpcEvents events, ILogger logger)
{
    private readonly GrpcForm<TRequest, TItem, TResponse>[] _forms =
        [.. codecs.Select(codec => new GrpcForm<TRequest, TItem, TResponse>(new(endpoint.Contract, codec), options.MaxMessageBytes))];

    private readonly bool _takesItems = endpoint.Contract.Kind is OperationKind.ClientStream or OperationKind.Duplex;
    private readonly bool _givesItems = endpoint.Contract.Kind is OperationKind.ServerStream or OperationKind.Duplex;

    private Operation Operation => endpoint.Contract;

    public async Task HandleAsync(HttpContext http)
    {
        if (HttpProtocol.IsHttp11(http.Request.Protocol) || Find(http.Request.ContentType) is not { } form)
        {
            GrpcCall.Refuse(http, _forms.Select(f => f.Plain.ContentType));
            return;
        }

        HttpCall.LiftLimits(http);
        http.Response.ContentType = form.Plain.ContentType;
        CallContext? context = null;
        try
        {
            var time = GrpcCall.Time(http);
            context = Operation.TakesContext ? GrpcCall.Context(http, time) : null;
            using var records = new RecordReader(
                http.Request.BodyReader, GrpcCall.IsZipped(http) ? form.Zipped : form.Plain, options.MaxMessageBytes, failure => failure.ToException(Operation, form.Codec),
                HttpCall.Unreadable);
            using var end = new Limit(options.TimeProvider, time, http.RequestAborted);
            try
            {
                await AnswerAsync(http, form, records, context, end).ConfigureAwait(false);
                GrpcCall.End(http, context);
            }
            catch (Exception failure)
            {
                throw TimedCall.Told(failure, Operation, end, http.RequestAborted);
            }
        }
        catch (Exception failure)
        {
            var described = HttpCall.Describe(failure, Operation, form.Codec, options, logger);
            if (!http.RequestAborted.IsCancellationRequested)
                GrpcCall.Fail(http, described, Operation, form.Codec, context);
        }
    }

    private GrpcForm<TRequest, TItem, TResponse>? Find(string? contentType)
    {
        var type = MediaTypes.WithoutParameters(contentType);
        GrpcForm<TRequest, TItem, TResponse>? first = null;
        foreach (var form in _forms)
        {
            if (form.Accepts(type, isFirst: false))
                return form;
            if (form.Accepts(type, isFirst: true))
                first ??= form;
        }

        return first;
    }

    private async ValueTask AnswerAsync(HttpContext http, GrpcForm<TRequest, TItem, TResponse> form, RecordReader records, CallContext? context, Limit end)
    {
        var request = await ReadAsync(form, records, end.Token).ConfigureAwait(false);
        var items = _takesItems ? records.ReadItemsAsync(form.Item, end.Token) : null;
        if (_givesItems)
        {
            await StreamAsync(http, form, request, items, context, end).ConfigureAwait(false);
            return;
        }

        TResponse? response = default;
        if (Operation.Kind == OperationKind.OneWay)
            events.Post(() => RunAsync(request, context));
        else
            response = await endpoint.CallAsync(request, items, context, end.Token).ConfigureAwait(false);

        // Not flushed: headers, message and trailers go together when the handler ends.
        GrpcCall.AddHeaders(http, context);
        form.Plain.Write(http.Response.BodyWriter, form.Response, response!);
    }

    private async ValueTask<TRequest> ReadAsync(GrpcForm<TRequest, TItem, TResponse> form, RecordReader records, CancellationToken ct)
    {
        if (_takesItems)
            return await records.ReadMessageAsync(form.Request, ct).ConfigureAwait(false);
        var (isThere, request) = await records.ReadItemAsync(form.Request, ct).ConfigureAwait(false);
        if (!isThere)
            throw new RpcException(RpcStatus.InvalidData, $"{Operation.Path} takes a message, and none came.");
        return (await records.ReadItemAsync(form.Request, ct).ConfigureAwait(false)).IsThere
            ? throw new RpcException(RpcStatus.InvalidData, $"{Operation.Path} takes one message, and more came.")
            : request!;
    }

    private async ValueTask StreamAsync(
        HttpContext http, GrpcForm<TRequest, TItem, TResponse> form, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, Limit end)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
        var answers = endpoint.StreamAsync(request, items, context, gone.Token).GetAsyncEnumerator(gone.Token);
        await using (answers.ConfigureAwait(false))
        {
            var isThere = await answers.MoveNextAsync().ConfigureAwait(false);
            GrpcCall.AddHeaders(http, context);
            await http.Response.StartAsync(CancellationToken.None).ConfigureAwait(false);
            if (isThere)
                await ItemPump.WriteAsync(answers, http.Response.BodyWriter, form.Plain, form.Response, gone, http.RequestAborted).ConfigureAwait(false);
        }
    }

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
