// Hot path: DispatcherCore -> this -> first step. Allocations: none beyond the scope, where one is made.
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The entry of a message type whose handler or middleware takes a context.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
internal sealed class ContextRequestPipeline<TRequest, TResponse>(
    RequestPipeline<TRequest, TResponse> first, IServiceProvider root, IServiceScopeFactory? scopes)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
    {
        var origin = state as CallOrigin;
        IServiceScope? scope = null;
        var services = origin?.Services;
        if (services is null)
        {
            scope = scopes?.CreateScope();
            services = scope?.ServiceProvider ?? root;
        }

        var context = ContextPool.Rent();
        context.Begin(origin, services, ct);
        ValueTask<TResponse> task;
        try
        {
            task = first.Invoke(request, context, ct);
        }
        catch
        {
            ContextPool.Return(context);
            if (scope is not null)
                ScopeEnd.Dispose(scope);
            throw;
        }

        if (!task.IsCompletedSuccessfully || scope is not null)
            return Wait(task, context, scope);

        ContextPool.Return(context);
        return task;
    }

    private static async ValueTask<TResponse> Wait(ValueTask<TResponse> task, MessageContext context, IServiceScope? scope)
    {
        try
        {
            return await task.ConfigureAwait(false);
        }
        finally
        {
            ContextPool.Return(context);
            if (scope is not null)
                await ScopeEnd.DisposeAsync(scope).ConfigureAwait(false);
        }
    }
}
