namespace Postrider;

/// <summary>Creates dispatchers for an origin; registered by <c>AddPostrider</c>.</summary>
public abstract class DispatcherFactory
{
    /// <summary>Creates a dispatcher for an origin.</summary>
    /// <param name="origin">The scope, headers and identities.</param>
    /// <returns>A dispatcher.</returns>
    public abstract IDispatcher Make(CallOrigin origin);
}
