using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>Resolves the implementation from a scope that all services of a connection share and that ends with it.</summary>
internal sealed class ConnectionActivator<TService>(IServiceScopeFactory scopes) : RpcServiceActivator<TService>
    where TService : class
{
    public override bool NeedsContext => true;

    /// <inheritdoc/>
    /// <exception cref="RpcException">The connection has ended: <see cref="RpcStatus.Unavailable"/>.</exception>
    /// <exception cref="InvalidOperationException">An interceptor replaced the context of the call.</exception>
    public override TService Activate(CallContext? context, out object? release)
    {
        var connection = context?.Connection ?? throw new InvalidOperationException(
            $"A call of {typeof(TService)} has no connection. Interceptors must pass on the context that they receive.");
        var scope = connection.Acquire(scopes, static factory => ((IServiceScopeFactory)factory).CreateScope());
        try
        {
            var service = scope.ServiceProvider.GetRequiredService<TService>();
            context.Services = scope.ServiceProvider;
            release = connection;
            return service;
        }
        catch
        {
            connection.Release();
            throw;
        }
    }

    public override ValueTask ReleaseAsync(object release)
    {
        ((ConnectionResources)release).Release();
        return default;
    }
}
