using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server;

/// <summary>Answers the requests of one operation that streams there, back or both.</summary>
/// <remarks>An answer begins with its first item: what fails before has a status of its own, what fails later is the body's last record.</remarks>
internal sealed class StreamHandler<TRequest, TItem, TResponse>(
    OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, ILogger logger)
{
    private readonly Forms<TRequest, TItem, TResponse> _forms = new(endpoint.Contract, codecs);

    private Operation Operation => endpoint.Contract;

    public async Task HandleAsync(HttpContext http)
    {
        if (_forms.Choose(http) is not ({ } asked, { } answered))
        {
            await _forms.RefuseAsync(http).ConfigureAwait(false);
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
            await FailAsync(http, unreadable, answered, context).ConfigureAwait(false);
            return;
        }

        using var end = new Limit(options.TimeProvider, time, http.RequestAborted);
        using var records = Operation.Kind == OperationKind.ServerStream ? null
            : new RecordReader(http.Request.BodyReader, asked.Items, options.MaxMessageBytes, failure => failure.ToException(Operation, asked.Codec), HttpCall.Unreadable);
        try
        {
            var request = records is null
                ? await HttpCall.ReadAsync(http, asked.Request(http), options.MaxMessageBytes).ConfigureAwait(false)
                : await records.ReadMessageAsync(asked.Request(http), end.Token).ConfigureAwait(false);
            var items = records?.ReadItemsAsync(asked.Item, end.Token);
            if (Operation.Kind == OperationKind.ClientStream)
            {
                var response = await endpoint.CallAsync(request, items, context, end.Token).ConfigureAwait(false);
                await HttpCall.WriteAsync(http, answered.Answered, answered.Response, response, context).ConfigureAwait(false);
            }
            else
            {
                await AnswerAsync(http, answered, request, items, context, end).ConfigureAwait(false);
            }
        }
        catch (Exception failure)
        {
            await FailAsync(http, TimedCall.Told(failure, Operation, end, http.RequestAborted), answered, context).ConfigureAwait(false);
        }
    }

    private async ValueTask AnswerAsync(
        HttpContext http, Form<TRequest, TItem, TResponse> form, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, Limit end)
    {
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
        var answers = endpoint.StreamAsync(request, items, context, gone.Token).GetAsyncEnumerator(gone.Token);
        await using (answers.ConfigureAwait(false))
        {
            var isThere = await answers.MoveNextAsync().ConfigureAwait(false);
            HttpCall.AddHeaders(http, context);
            http.Response.ContentType = form.Items.ContentType;
            http.Response.Headers.CacheControl = "no-store";
            await http.Response.StartAsync(CancellationToken.None).ConfigureAwait(false);
            if (isThere)
                await ItemPump.WriteAsync(answers, http.Response.BodyWriter, form.Items, form.Response, gone, http.RequestAborted).ConfigureAwait(false);
        }

        if (!http.Response.SupportsTrailers() || context?.ResponseHeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
        {
            if (HttpNames.IsCalls(name) && http.Response.Headers[name] != value)
                http.Response.AppendTrailer(name, value);
        }
    }

    private async ValueTask FailAsync(HttpContext http, Exception failure, Form<TRequest, TItem, TResponse> form, CallContext? context)
    {
        if (!http.Response.HasStarted)
        {
            await HttpCall.FailAsync(http, failure, Operation, form.Codec, context, options, logger).ConfigureAwait(false);
            return;
        }

        if (http.RequestAborted.IsCancellationRequested)
            return;
        form.Items.WriteFailure(http.Response.BodyWriter, HttpCall.Describe(failure, Operation, form.Codec, options, logger));
        await ItemPump.TryFlushAsync(http.Response.BodyWriter, http.RequestAborted).ConfigureAwait(false);
    }
}
