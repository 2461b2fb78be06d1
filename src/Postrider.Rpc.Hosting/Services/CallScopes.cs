using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>Chooses how the implementation of a contract is resolved from the container for each call.</summary>
internal static class CallScopes
{
    /// <summary>The activator: with a scope for each call, or without one if that makes no observable difference.</summary>
    public static RpcServiceActivator<TService> ActivatorFor<TService>(IServiceProvider root, ServiceDescriptor implementation, IServiceCollection registered, bool inRequests)
        where TService : class
    {
        var graph = ObjectGraph.Of(root, implementation, registered);
        if (graph is { TakesSingletonsOnly: true })
            return new GraphActivator<TService>(graph, null);
        var scoped = new ScopedActivator<TService>(root.GetRequiredService<IServiceScopeFactory>(), inRequests);
        return graph is null ? scoped : new GraphActivator<TService>(graph, scoped);
    }
}
