using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>Chooses how the implementation of a contract is resolved from the container for each call.</summary>
internal static class CallScopes
{
    /// <summary>The activator: with a scope for each call, or without one if that makes no observable difference.</summary>
    public static RpcServiceActivator<TService> ActivatorFor<TService>(IServiceProvider root, ServiceDescriptor implementation, IServiceCollection registered, bool inRequests)
        where TService : class
        => implementation.ImplementationType is { } type && TakesSingletonsOnly(type, registered)
            ? new UnscopedActivator<TService>(root, ActivatorUtilities.CreateFactory(type, []))
            : new ScopedActivator<TService>(root.GetRequiredService<IServiceScopeFactory>(), inRequests);

    // Only in certain cases: one public constructor whose parameters are registered once, as singletons, and nothing to dispose.
    private static bool TakesSingletonsOnly([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type type, IServiceCollection registered)
    {
        if (type.IsAssignableTo(typeof(IDisposable)) || type.IsAssignableTo(typeof(IAsyncDisposable)) || type.IsGenericTypeDefinition)
            return false;
        var constructors = type.GetConstructors();
        return constructors.Length == 1 && Array.TrueForAll(constructors[0].GetParameters(), parameter =>
            parameter.CustomAttributes.All(static attribute => attribute.AttributeType != typeof(FromKeyedServicesAttribute))
            && !parameter.HasDefaultValue
            && registered.LastOrDefault(service => !service.IsKeyedService && service.ServiceType == parameter.ParameterType) is { Lifetime: ServiceLifetime.Singleton });
    }
}
