// Hot path: endpoint -> this -> activator -> implementation. Allocations: the activator's; a task where the implementation suspends.
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Rpc.Activation;

/// <summary>An operation whose implementation is provided for each call.</summary>
internal sealed class ActivatedCall<TService, TRequest, TItem, TResponse>(
    RpcServiceActivator<TService> activator,
    Func<TService, TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call)
    where TService : class
{
    [SuppressMessage("Reliability", "CA2012", Justification = "The task is read once: here when it has completed, otherwise by Ended.")]
    public ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        var service = activator.Activate(context, out var release);
        if (release is null)
            return call(service, request, items, context, ct);
        ValueTask<TResponse> response;
        try
        {
            response = call(service, request, items, context, ct);
        }
        catch (Exception thrown)
        {
            response = ValueTask.FromException<TResponse>(thrown);
        }

        if (!response.IsCompletedSuccessfully)
            return EndAsync(response, release);
        var released = activator.ReleaseAsync(release);
        return released.IsCompletedSuccessfully ? response : ReleaseAsync(response.Result, released);
    }

    private static async ValueTask<TResponse> ReleaseAsync(TResponse response, ValueTask released)
    {
        await released.ConfigureAwait(false);
        return response;
    }

    private async ValueTask<TResponse> EndAsync(ValueTask<TResponse> response, object release)
    {
        try
        {
            return await response.ConfigureAwait(false);
        }
        finally
        {
            await activator.ReleaseAsync(release).ConfigureAwait(false);
        }
    }
}
