using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The application's registrations, as they are when the first handler is created.</summary>
/// <param name="services">The collection that <c>AddPostrider</c> was called on.</param>
/// <remarks>Thread-safe.</remarks>
internal sealed class ServiceRegistrations(IServiceCollection services)
{
    private readonly Lazy<Dictionary<Type, ServiceDescriptor>> _last = new(() =>
    {
        var last = new Dictionary<Type, ServiceDescriptor>();
        foreach (var service in services)
        {
            if (!service.IsKeyedService)
                last[service.ServiceType] = service;
        }

        return last;
    });

    /// <summary>The registration that the container resolves, or null if the service was added in another way.</summary>
    internal ServiceDescriptor? Find(Type type)
        => _last.Value.GetValueOrDefault(type)
            ?? (type.IsConstructedGenericType ? _last.Value.GetValueOrDefault(type.GetGenericTypeDefinition()) : null);

    /// <summary>Whether the container creates a class itself, with the constructor that generated code would call.</summary>
    internal static bool IsOfItself(ServiceDescriptor registration, Type type)
        => registration.ImplementationType is { } made
            && (made == type || (type.IsConstructedGenericType && made == type.GetGenericTypeDefinition()));
}
