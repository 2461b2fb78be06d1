using System.ComponentModel;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>Creates handlers and middleware; called by generated code when a pipeline is composed.</summary>
/// <remarks>A class that the application registered in the container is resolved from there.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class InstanceFactory
{
    /// <summary>Gets the factory of a scoped or transient instance.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <param name="make">Creates an instance.</param>
    /// <returns>The same delegate, or one that resolves the instance from the container.</returns>
    public static Func<IServiceProvider, object> PerCall(IServiceProvider root, Type type, Func<IServiceProvider, object> make)
        => IsRegistered(root, type) ? services => services.GetRequiredService(type) : make;

    /// <summary>As <see cref="PerCall"/>, for a class whose instances the scope disposes.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <param name="make">Creates an instance.</param>
    /// <returns>A delegate.</returns>
    public static Func<IServiceProvider, object> Disposed(IServiceProvider root, Type type, Func<IServiceProvider, object> make)
        => IsRegistered(root, type) ? services => services.GetRequiredService(type) : services => Keep(services, make(services));

    /// <summary>Gets a service that a handler or middleware needs.</summary>
    /// <typeparam name="T">The service.</typeparam>
    /// <param name="services">The scope's services, or the root's.</param>
    /// <param name="owner">The handler or middleware, for the error.</param>
    /// <returns>The service.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is not registered.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Required<T>(IServiceProvider services, string owner)
        where T : notnull
        => services.GetService(typeof(T)) is { } service ? (T)service : throw Missing(typeof(T), owner);

    /// <summary>Gets the container's only instance of a class.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <param name="isDisposed">Whether the container disposes it.</param>
    /// <param name="make">Creates the instance.</param>
    /// <returns>The instance.</returns>
    public static object Once(IServiceProvider root, Type type, bool isDisposed, Func<IServiceProvider, object> make)
        => root.GetRequiredService<SingletonCache>().Get(type, () =>
            Registered(root, type) ?? (isDisposed ? Keep(root, make(root)) : make(root)));

    /// <summary>Gets the singleton of a class, if the application registered it.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="root">The root's services.</param>
    /// <returns>The instance; null if the class is not registered, or is registered as scoped without its own implementation: a class
    /// without state is still created once.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is registered as scoped with its own
    /// implementation.</exception>
    public static T? Registered<T>(IServiceProvider root)
        where T : class
        => (T?)Registered(root, typeof(T));

    private static object? Registered(IServiceProvider root, Type type)
    {
        if (!root.GetRequiredService<ServiceRegistrations>().Has(type, out var registration))
            return null;
        if (registration is not { Lifetime: ServiceLifetime.Scoped })
            return root.GetRequiredService(type);
        if (ServiceRegistrations.IsOfItself(registration, type))
            return null;
        throw new PostriderException(
            PostriderError.Configuration,
            $"{type} is registered as scoped with its own implementation, but it has the lifetime of the container, because it has no mutable state. " +
            "Mark it [Handler(Lifetime = HandlerLifetime.Scoped)], or register it as a singleton.");
    }

    /// <summary>Gets the factory of a transient class that the application registered with its own implementation or lifetime.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <returns>A delegate over the services of a call; null if generated code creates the instances.</returns>
    public static Func<IServiceProvider, object>? RegisteredPerCall(IServiceProvider root, Type type)
    {
        if (!root.GetRequiredService<ServiceRegistrations>().Has(type, out var registration))
            return null;
        return registration is { Lifetime: not ServiceLifetime.Singleton } && ServiceRegistrations.IsOfItself(registration, type)
            ? null
            : services => services.GetRequiredService(type);
    }

    private static PostriderException Missing(Type service, string owner)
        => new(PostriderError.Configuration, $"{owner} needs {service}, which is not registered in the container.");

    private static object Keep(IServiceProvider services, object instance)
    {
        services.GetRequiredService<OwnedDisposable>().Instance = instance;
        return instance;
    }

    private static bool IsRegistered(IServiceProvider root, Type type) => root.GetRequiredService<ServiceRegistrations>().Has(type, out _);
}
