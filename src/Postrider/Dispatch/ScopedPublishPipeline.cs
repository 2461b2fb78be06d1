using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The entry of a notification type with a handler that needs a scope or a context: one of each for all handlers.</summary>
internal sealed class ScopedPublishPipeline(
    PublishPipeline first, IServiceProvider root, IServiceScopeFactory? scopes, PipelineNeeds needs) : PublishPipeline
{
    public override Type MessageType => first.MessageType;

    public override ValueTask Invoke(object notification, object? state, CancellationToken ct)
    {
        var origin = state as CallOrigin;
        return needs == PipelineNeeds.Scope && origin is { Services: not null }
            ? first.Invoke(notification, origin.Handlers, ct)
            : InvokeInScope(notification, origin, ct);
    }

    private async ValueTask InvokeInScope(object notification, CallOrigin? origin, CancellationToken ct)
    {
        var scope = origin?.Services is null ? scopes?.CreateScope() : null;
        var services = origin?.Services ?? scope?.ServiceProvider ?? root;
        var context = (needs & PipelineNeeds.Context) != 0 ? ContextPool.Rent() : null;
        try
        {
            context?.Begin(origin, services, ct);
            await first.Invoke(notification, context is null ? origin is { Services: not null } ? origin.Handlers : new HandlerScope(services) : context, ct).ConfigureAwait(false);
        }
        finally
        {
            if (context is not null)
                ContextPool.Return(context);
            if (scope is not null)
                await ScopeEnd.DisposeAsync(scope).ConfigureAwait(false);
        }
    }
}
