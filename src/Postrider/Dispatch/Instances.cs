using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>Makes handlers and middleware; called by generated code when a pipeline is composed, and for no class before.</summary>
/// <remarks>A class that the application registered in the container itself is taken from there.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Instances
{
    /// <summary>What makes a scoped or transient instance from a scope's services.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <param name="make">Makes one.</param>
    /// <returns>The same delegate, or one that asks the container.</returns>
    public static Func<IServiceProvider, object> PerCall(IServiceProvider root, Type type, Func<IServiceProvider, object> make)
        => IsRegistered(root, type) ? services => services.GetRequiredService(type) : make;

    /// <summary>As <see cref="PerCall"/>, for a class whose instances the scope disposes.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <param name="make">Makes one.</param>
    /// <returns>A delegate.</returns>
    public static Func<IServiceProvider, object> Disposed(IServiceProvider root, Type type, Func<IServiceProvider, object> make)
        => IsRegistered(root, type) ? services => services.GetRequiredService(type) : services => Keep(services, make(services));

    /// <summary>The container's only instance of a class.</summary>
    /// <param name="root">The root's services.</param>
    /// <param name="type">The class.</param>
    /// <param name="isDisposed">The container disposes it.</param>
    /// <param name="make">Makes it.</param>
    /// <returns>The instance.</returns>
    public static object Once(IServiceProvider root, Type type, bool isDisposed, Func<IServiceProvider, object> make)
        => root.GetRequiredService<SingleInstances>().Get(type, () =>
            IsRegistered(root, type) ? root.GetRequiredService(type)
            : isDisposed ? Keep(root, make(root))
            : make(root));

    private static object Keep(IServiceProvider services, object instance)
    {
        services.GetRequiredService<DisposedInstance>().Instance = instance;
        return instance;
    }

    private static bool IsRegistered(IServiceProvider root, Type type)
        => root.GetService<IServiceProviderIsService>()?.IsService(type) == true;
}
