// Hot path: routing -> this -> the operation -> Kestrel. Allocations: none of its own where the operation takes neither token nor context.
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server;

/// <summary>Handles the requests of an operation that returns one message or nothing.</summary>
/// <remarks>A body is read whole, then parsed: that costs a quarter less than parsing it as it arrives, up to some 100 KB (measured on
/// System.Text.Json against the minimal API).</remarks>
internal sealed class OperationHandler<TRequest, TItem, TResponse>(
    OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, RpcServerOptions options, OneWayCallQueue events, ILogger logger)
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

        CallContext? context = null;
        try
        {
            var request = await HttpCall.ReadAsync(http, requestBinding, options.MaxMessageBytes).ConfigureAwait(false);
            context = Operation.TakesContext ? HttpCall.Context(http) : null;
            if (Operation.Kind == OperationKind.OneWay)
            {
                events.Post(() => RunAsync(request, context));
                http.Response.StatusCode = StatusCodes.Status202Accepted;
                return;
            }

            var response = await DeadlineCall.RunAsync(endpoint, request, context, HttpCall.Time(http), options.TimeProvider, http.RequestAborted).ConfigureAwait(false);
            if (typeof(TResponse) == typeof(RpcFile))
                await FileResponse.WriteAsync(http, response as RpcFile, context).ConfigureAwait(false);
            else
                await HttpCall.WriteAsync(http, responseBinding.ResponseCodec, responseBinding.Response, response, context).ConfigureAwait(false);
        }
        catch (Exception) when (http.Response.HasStarted)
        {
            // The caller already has a status: only aborting the connection can report the failure.
            http.Abort();
            throw;
        }
        catch (Exception failure)
        {
            await HttpCall.FailAsync(http, failure, Operation, responseBinding.Codec, context, options, logger).ConfigureAwait(false);
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
