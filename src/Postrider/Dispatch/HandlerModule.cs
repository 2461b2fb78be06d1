namespace Postrider.Dispatch;

/// <summary>The handlers of one project; the generator derives from it once per project.</summary>
/// <remarks>Nothing is created for a message type before its first use: the type is found by the hash of its name in a constant table,
/// and only then its registration is created.</remarks>
public abstract class HandlerModule
{
    private NotificationInvoker[]?[]? _steps; // guarded by the table's lock for composing

    /// <summary>The project's name.</summary>
    public abstract string Name { get; }

    /// <summary>FNV-1a hashes of the full names of the message types, ascending; equal ones are adjacent.</summary>
    public abstract ReadOnlySpan<uint> Keys { get; }

    /// <summary>The indexes of notification types that others can derive from or implement.</summary>
    public virtual ReadOnlySpan<int> OpenNotifications => [];

    /// <summary>Creates the modules of the referenced projects.</summary>
    /// <returns>The modules, without their references.</returns>
    public virtual HandlerModule[] CreateReferences() => [];

    /// <summary>Creates a registration.</summary>
    /// <param name="index">An index into <see cref="Keys"/>.</param>
    /// <returns>The registration.</returns>
    public abstract MessageRegistration Create(int index);

    /// <summary>Hashes, as in <see cref="Keys"/>, of the message types of referenced projects to which this project's middleware applies.</summary>
    public virtual ReadOnlySpan<uint> CrossModuleKeys => [];

    /// <summary>Creates the middleware around the handler of a referenced project.</summary>
    /// <param name="index">An index into <see cref="CrossModuleKeys"/>.</param>
    /// <returns>The middleware.</returns>
    public virtual CrossModuleMiddleware CreateCrossModule(int index) => throw new ArgumentOutOfRangeException(nameof(index));

    /// <summary>Reports the services that this project's handlers and middleware need.</summary>
    /// <param name="check">Collects them.</param>
    public virtual void CheckServices(ServiceCheck check)
    {
    }

    /// <summary>The steps of a notification's handlers. Created once per module, whichever derived type is published first: they
    /// hold singletons. The caller holds the lock under which pipelines are composed.</summary>
    internal NotificationInvoker[] StepsOf(
        int index, NotificationRegistration registration, IServiceProvider root, IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        _steps ??= new NotificationInvoker[]?[Keys.Length];
        return _steps[index] ??= registration.MakeSteps(root, wrappers);
    }

    /// <summary>Whether this project references another, directly or indirectly.</summary>
    internal bool RefersTo(HandlerModule other)
    {
        foreach (var reference in CreateReferences())
        {
            if (reference.GetType() == other.GetType() || reference.RefersTo(other))
                return true;
        }

        return false;
    }

    internal MessageRegistration? Find(Type messageType)
    {
        var keys = Keys;
        for (var at = First(keys, KeyOf(messageType)); at < keys.Length && keys[at] == KeyOf(messageType); at++)
        {
            var registration = Create(at);
            if (registration.MessageType == messageType)
                return registration;
        }

        return null;
    }

    internal CrossModuleMiddleware? FindCrossModule(Type messageType)
    {
        var keys = CrossModuleKeys;
        if (keys.IsEmpty)
            return null;

        for (var at = First(keys, KeyOf(messageType)); at < keys.Length && keys[at] == KeyOf(messageType); at++)
        {
            var wrapper = CreateCrossModule(at);
            if (wrapper.MessageType == messageType)
                return wrapper;
        }

        return null;
    }

    private static int First(ReadOnlySpan<uint> keys, uint hash)
    {
        var at = keys.BinarySearch(hash);
        if (at < 0)
            return keys.Length;

        while (at > 0 && keys[at - 1] == hash)
            at--;
        return at;
    }

    /// <summary>The index of a registration of this module.</summary>
    internal int IndexOf(NotificationRegistration registration)
    {
        var at = First(Keys, KeyOf(registration.MessageType));
        while (Create(at).MessageType != registration.MessageType)
            at++;
        return at;
    }

    // A project comes before all projects that it references, directly or indirectly.
    internal static List<HandlerModule> Flatten(HandlerModule[] modules)
    {
        var all = new List<HandlerModule>();
        var seen = new HashSet<Type>();
        for (var i = modules.Length - 1; i >= 0; i--)
            Visit(modules[i]);
        all.Reverse();
        return all;

        void Visit(HandlerModule visited)
        {
            if (!seen.Add(visited.GetType()))
                return;
            var references = visited.CreateReferences();
            for (var i = references.Length - 1; i >= 0; i--)
                Visit(references[i]);
            all.Add(visited);
        }
    }

    // Closed generic types have no name known at compile time: they are found by their definition.
    internal static uint KeyOf(Type type)
    {
        var named = type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;
        return Hash(named.FullName ?? named.Name);
    }

    /// <summary>FNV-1a over UTF-16 units; the generator computes the same.</summary>
    private static uint Hash(string name)
    {
        var hash = 2166136261u;
        foreach (var unit in name)
            hash = (hash ^ unit) * 16777619u;
        return hash;
    }
}
