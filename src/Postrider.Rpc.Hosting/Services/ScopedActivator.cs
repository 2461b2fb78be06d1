// Hot path: endpoint -> this -> container -> implementation. Allocations: the scope and what it makes.
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>Resolves the implementation from the request's scope, or from a scope created for the call.</summary>
internal sealed class ScopedActivator<TService>(IServiceScopeFactory scopes, bool needsContext) : RpcServiceActivator<TService>
    where TService : class
{
    // Over HTTP the request already has a scope; other transports need not create a context that no method uses.
    public override bool NeedsContext => needsContext;

    public override TService Activate(CallContext? context, out object? release)
    {
        if (context?.Services is { } services)
        {
            release = null;
            return services.GetRequiredService<TService>();
        }

        var scope = scopes.CreateScope();
        try
        {
            var service = scope.ServiceProvider.GetRequiredService<TService>();
            if (context is not null)
                context.Services = scope.ServiceProvider;
            release = scope;
            return service;
        }
        catch
        {
            scope.Dispose();
            throw;
        }
    }

    public override ValueTask ReleaseAsync(object release)
    {
        if (release is IAsyncDisposable scope)
            return scope.DisposeAsync();
        ((IDisposable)release).Dispose();
        return default;
    }
}
