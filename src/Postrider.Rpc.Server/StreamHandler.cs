using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server;

/// <summary>Handles the requests of an operation that streams its request, its response, or both.</summary>
/// <remarks>A response starts with its first item: an earlier failure has its own status, a later failure is the body's last record.</remarks>
internal sealed class StreamHandler<TRequest, TItem, TResponse>(
    OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, ILogger logger)
{
    private readonly ContentNegotiator<TRequest, TItem, TResponse> _negotiator = new(endpoint.Contract, codecs);

    private Operation Operation => endpoint.Contract;

    public async Task HandleAsync(HttpContext http)
    {
        if (_negotiator.Choose(http) is not ({ } requestBinding, { } responseBinding))
        {
            await _negotiator.RejectAsync(http).ConfigureAwait(false);
            return;
        }

        HttpCall.LiftLimits(http);
        CallContext? context = null;
        TimeSpan? time;
        try
        {
            time = HttpCall.Time(http);
            context = Operation.TakesContext ? HttpCall.Context(http) : null;
        }
        catch (RpcException unreadable)
        {
            await FailAsync(http, unreadable, responseBinding, context).ConfigureAwait(false);
            return;
        }

        using var end = new DeadlineTokenSource(options.TimeProvider, time, http.RequestAborted);
        using var records = Operation.Kind == OperationKind.ServerStream ? null
            : new StreamRecordReader(http.Request.BodyReader, requestBinding.Items, options.MaxMessageBytes, failure => failure.ToException(Operation, requestBinding.Codec), HttpCall.Unreadable);
        try
        {
            var request = records is null
                ? await HttpCall.ReadAsync(http, requestBinding, options.MaxMessageBytes).ConfigureAwait(false)
                : await records.ReadMessageAsync(requestBinding.Request(http), end.Token).ConfigureAwait(false);
            var items = records?.ReadItemsAsync(requestBinding.Item, end.Token);
            if (Operation.Kind == OperationKind.ClientStream)
            {
                var response = await endpoint.CallAsync(request, items, context, end.Token).ConfigureAwait(false);
                await HttpCall.WriteAsync(http, responseBinding.ResponseCodec, responseBinding.Response, response, context).ConfigureAwait(false);
            }
            else
            {
                await AnswerAsync(http, responseBinding, request, items, context, end).ConfigureAwait(false);
            }
        }
        catch (Exception failure)
        {
            await FailAsync(http, DeadlineCall.Translate(failure, Operation, end, http.RequestAborted), responseBinding, context).ConfigureAwait(false);
        }
    }

    private async ValueTask AnswerAsync(
        HttpContext http, HttpOperationBinding<TRequest, TItem, TResponse> binding, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, DeadlineTokenSource end)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
        var answers = endpoint.StreamAsync(request, items, context, gone.Token).GetAsyncEnumerator(gone.Token);
        await using (answers.ConfigureAwait(false))
        {
            var isThere = await answers.MoveNextAsync().ConfigureAwait(false);
            HttpCall.AddHeaders(http, context);
            http.Response.ContentType = binding.AnswerItems.ContentType;
            http.Response.Headers.CacheControl = "no-store";
            // Items are sent as they are produced, even if the application compresses its responses.
            http.Features.Get<IHttpResponseBodyFeature>()?.DisableBuffering();
            await http.Response.StartAsync(CancellationToken.None).ConfigureAwait(false);
            if (isThere)
                await StreamItemWriter.WriteAsync(answers, http.Response.BodyWriter, binding.AnswerItems, binding.Response, gone, http.RequestAborted).ConfigureAwait(false);
            binding.AnswerItems.WriteEnd(http.Response.BodyWriter);
        }

        if (!http.Response.SupportsTrailers() || context?.ResponseHeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
        {
            if (HttpNames.IsCalls(name) && http.Response.Headers[name] != value)
                http.Response.AppendTrailer(name, value);
        }
    }

    private async ValueTask FailAsync(HttpContext http, Exception failure, HttpOperationBinding<TRequest, TItem, TResponse> binding, CallContext? context)
    {
        if (!http.Response.HasStarted)
        {
            await HttpCall.FailAsync(http, failure, Operation, binding.Codec, context, options, logger).ConfigureAwait(false);
            return;
        }

        if (http.RequestAborted.IsCancellationRequested)
            return;
        binding.AnswerItems.WriteFailure(http.Response.BodyWriter, HttpCall.Describe(failure, Operation, binding.Codec, options, logger));
        await StreamItemWriter.TryFlushAsync(http.Response.BodyWriter, http.RequestAborted).ConfigureAwait(false);
    }
}
