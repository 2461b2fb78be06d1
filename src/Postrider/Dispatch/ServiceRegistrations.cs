using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The application's registrations, as they are when the first handler is created.</summary>
/// <remarks>Thread-safe. The container is queried only if needed: its first query for a class compiles code, which took half of the
/// time of a process's first call.</remarks>
internal sealed class ServiceRegistrations
{
    private readonly Dictionary<Type, ServiceDescriptor> _last = [];
    private readonly IServiceProvider _root;
    private readonly bool _isComplete;

    /// <summary>Reads the registrations.</summary>
    /// <param name="services">The collection that <c>AddPostrider</c> was called on.</param>
    /// <param name="root">The root's services.</param>
    internal ServiceRegistrations(IServiceCollection services, IServiceProvider root)
    {
        foreach (var service in services)
        {
            if (!service.IsKeyedService)
                _last[service.ServiceType] = service;
        }

        _root = root;
        // Other containers have registrations that the collection does not show.
        _isComplete = root.GetType().Namespace?.StartsWith("Microsoft.Extensions.DependencyInjection", StringComparison.Ordinal) == true;
    }

    /// <summary>The registration that the container resolves, or null if the service was added in another way.</summary>
    internal ServiceDescriptor? Find(Type type)
        => _last.TryGetValue(type, out var registration) ? registration
            : type.IsConstructedGenericType ? _last.GetValueOrDefault(type.GetGenericTypeDefinition())
            : null;

    /// <summary>Whether the container resolves a class.</summary>
    /// <param name="type">The class.</param>
    /// <param name="registration">As <see cref="Find"/>.</param>
    internal bool Has(Type type, out ServiceDescriptor? registration)
    {
        registration = Find(type);
        // What was added to the collection after the container was built is not in the container.
        return (registration is not null || !_isComplete) && _root.GetService<IServiceProviderIsService>()?.IsService(type) == true;
    }

    /// <summary>Whether the container creates a class itself, with the constructor that generated code would call.</summary>
    internal static bool IsOfItself(ServiceDescriptor registration, Type type)
        => registration.ImplementationType is { } made
            && (made == type || (type.IsConstructedGenericType && made == type.GetGenericTypeDefinition()));
}
