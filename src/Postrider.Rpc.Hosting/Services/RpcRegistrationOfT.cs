using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>A contract of a container with its implementation: one for each connection, or as its registration says.</summary>
internal sealed class RpcRegistration<TService>(RpcContract<TService> contract, ServiceDescriptor implementation, IServiceCollection registered, bool isPerConnection) : RpcRegistration
    where TService : class
{
    public override Type Type => typeof(TService);

    public override string Name => contract.Name;

    public override RpcService Serve(IServiceProvider services, RpcTransport transport)
    {
        var service = implementation.Lifetime == ServiceLifetime.Singleton
            ? contract.Serve(services.GetRequiredService<TService>())
            : contract.Serve(Activator(services, transport));
        service = service.WithInterceptors([.. services.GetServices<ServerInterceptor>().Select(static one => one.Interceptor)]);
        return services.GetService<ServerTelemetry>() is null ? service : service.WithTracing().WithMetrics();
    }

    private RpcServiceActivator<TService> Activator(IServiceProvider services, RpcTransport transport)
    {
        if (!isPerConnection)
            return CallScopes.ActivatorFor<TService>(services, implementation, registered, transport.HasScopes);
        return transport.HasConnections
            ? new ConnectionActivator<TService>(services.GetRequiredService<IServiceScopeFactory>())
            : throw new InvalidOperationException(
                $"{Type} was added with AddRpcServicePerConnection, and calls over {transport.Name} have no connection that could keep an implementation. Serve it over a socket (AddRpcSocketServer) or WebSockets (MapRpcWebSockets), or add it with AddRpcService<{Type.Name}, TImplementation>(), which creates one for each call.");
    }
}
