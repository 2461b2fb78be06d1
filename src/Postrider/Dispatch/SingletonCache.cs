namespace Postrider.Dispatch;

/// <summary>Middleware and handlers of one container that live once and are needed by several steps, or are disposed with it.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class SingletonCache
{
    private readonly Dictionary<Type, object> _instances = []; // guarded by itself

    internal object Get(Type type, Func<object> make)
    {
        lock (_instances)
            return _instances.TryGetValue(type, out var known) ? known : _instances[type] = make();
    }
}
