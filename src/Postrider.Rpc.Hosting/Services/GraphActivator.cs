// Hot path: endpoint -> this -> constructors. Allocations: the implementation and the objects that it takes.
namespace Postrider.Rpc.Hosting.Services;

/// <summary>Creates the implementation and what it takes for each call without a scope.</summary>
/// <param name="graph">What is created.</param>
/// <param name="scoped">Used for calls with a context, whose <see cref="CallContext.Services"/> must provide the same objects; null if the
/// implementation takes only singletons.</param>
internal sealed class GraphActivator<TService>(ObjectGraph graph, ScopedActivator<TService>? scoped) : RpcServiceActivator<TService>
    where TService : class
{
    public override bool NeedsContext => scoped is { NeedsContext: true };

    public override TService Activate(CallContext? context, out object? release)
    {
        if (context is not null && scoped is not null)
            return scoped.Activate(context, out release);
        release = null;
        return (TService)graph.Create();
    }

    public override ValueTask ReleaseAsync(object release) => scoped!.ReleaseAsync(release);
}
