// Hot path: DispatcherCore -> this -> handler. Allocations: the scope, where the call does not come from one; in it the handler.
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The entry of a message type that needs a scope and no context.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
internal sealed class ScopedRequestPipeline<TRequest, TResponse>(
    RequestPipeline<TRequest, TResponse> first, IServiceScopeFactory scopes, ScopeUse use) : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
        => state is CallOrigin { Services: { } services } origin
            ? first.Invoke(request, use == ScopeUse.Services ? services : origin.Handlers, ct)
            : InvokeInScope(request, ct);

    private ValueTask<TResponse> InvokeInScope(TRequest request, CancellationToken ct)
    {
        var scope = scopes.CreateScope();
        ValueTask<TResponse> task;
        try
        {
            var services = scope.ServiceProvider;
            task = first.Invoke(request, use == ScopeUse.Several ? new HandlerScope(services) : services, ct);
        }
        catch
        {
            ScopeEnd.Dispose(scope);
            throw;
        }

        if (!task.IsCompletedSuccessfully)
            return Wait(task, scope);

        var response = task.Result;
        var end = ScopeEnd.DisposeAsync(scope);
        return end.IsCompletedSuccessfully ? new(response) : WaitForEnd(end, response);
    }

    private static async ValueTask<TResponse> Wait(ValueTask<TResponse> task, IServiceScope scope)
    {
        try
        {
            return await task.ConfigureAwait(false);
        }
        finally
        {
            await ScopeEnd.DisposeAsync(scope).ConfigureAwait(false);
        }
    }

    private static async ValueTask<TResponse> WaitForEnd(ValueTask end, TResponse response)
    {
        await end.ConfigureAwait(false);
        return response;
    }
}
