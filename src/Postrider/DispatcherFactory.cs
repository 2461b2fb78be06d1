namespace Postrider;

/// <summary>Makes dispatchers for an origin; registered by <c>AddPostrider</c>.</summary>
public abstract class DispatcherFactory
{
    /// <summary>Makes a dispatcher whose calls come from <paramref name="origin"/>.</summary>
    /// <param name="origin">The scope, headers and identities.</param>
    /// <returns>A dispatcher.</returns>
    public abstract IDispatcher Make(CallOrigin origin);
}
