using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>A contract of a container with its implementation.</summary>
internal sealed class RpcRegistration<TService>(RpcContract<TService> contract, ServiceDescriptor implementation, IServiceCollection registered) : RpcRegistration
    where TService : class
{
    public override Type Type => typeof(TService);

    public override string Name => contract.Name;

    public override RpcService Serve(IServiceProvider services, bool inRequests)
    {
        var service = implementation.Lifetime == ServiceLifetime.Singleton
            ? contract.Serve(services.GetRequiredService<TService>())
            : contract.Serve(CallScopes.ActivatorFor<TService>(services, implementation, registered, inRequests));
        service = service.WithInterceptors([.. services.GetServices<ServerInterceptor>().Select(static one => one.Interceptor)]);
        return services.GetService<ServerTelemetry>() is null ? service : service.WithTracing().WithMetrics();
    }
}
