// Hot path: endpoint -> this -> constructor of the implementation. Allocations: the implementation.
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>Creates the implementation for each call without a scope: its constructor only takes singletons.</summary>
internal sealed class UnscopedActivator<TService>(IServiceProvider root, ObjectFactory factory) : RpcServiceActivator<TService>
    where TService : class
{
    public override TService Activate(CallContext? context, out object? release)
    {
        release = null;
        return (TService)factory(root, null);
    }

    public override ValueTask ReleaseAsync(object release) => default;
}
