using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>The handler classes of a module: those that live once have a member each, the others are in the container.</summary>
internal sealed class HandlerInstances
{

    private readonly Dictionary<string, int> _singletons = [];
    private readonly List<InstanceModel> _ordered = [];

    internal HandlerInstances(ModuleModel module)
    {
        foreach (var handler in module.Entries.SelectMany(e => e.Handlers))
        {
            if (!handler.IsStatic && handler.Owner.Lifetime == Lifetime.Singleton && !_singletons.ContainsKey(handler.Owner.Full))
            {
                _singletons.Add(handler.Owner.Full, _ordered.Count);
                _ordered.Add(handler.Owner);
            }
        }
    }

    /// <summary>The expression, inside the module, for a handler that lives once.</summary>
    internal string Singleton(InstanceModel instance, string root) => $"Handler{_singletons[instance.Full]}({root})";

    internal void Emit(Source source, ModuleModel module)
    {
        if (_ordered.Count > 0)
            source.Line("private readonly _S::Threading.Lock _making = new(); // guards making handlers that live once");
        for (var i = 0; i < _ordered.Count; i++)
        {
            var instance = _ordered[i];
            source.Line($"private {instance.Full}? _handler{i};");
            var made = instance.IsDisposable ? Resolve(instance.Full, "root") : New(instance, instance.Full, [], "root", "root");
            source.Line($"internal {instance.Full} Handler{i}(_S::IServiceProvider root) {{ lock (_making) return _handler{i} ??= {made}; }}");
        }

        EmitOwned(source, [.. Owned(module)]);
    }

    // A method each makes one, and others choose it by number: registering a thousand compiles none of them.
    private static void EmitOwned(Source source, List<OwnedInstance> owned)
    {
        if (owned.Count == 0)
            return;

        var groups = ModuleEmitter.GroupsOf(owned.Count);
        using (source.Block("public override void AddServices(_I::IServiceCollection services)"))
        {
            for (var group = 0; group < groups; group++)
                source.Line($"Add{group}(services);");
        }

        for (var group = 0; group < groups; group++)
        {
            using (source.Block($"private void Add{group}(_I::IServiceCollection services)"))
            {
                foreach (var i in ModuleEmitter.InGroup(group, owned.Count))
                    source.Line($"Own(services, typeof({owned[i].Full}), {i}, _I::ServiceLifetime.{owned[i].Lifetime.ToString()});");
            }
        }

        ModuleEmitter.EmitCreate(source, "protected override object", "Make", "Owned", owned.Count, ", _S::IServiceProvider provider", ", provider");
        for (var i = 0; i < owned.Count; i++)
            source.Line($"private static object Owned{i}(_S::IServiceProvider provider) => {owned[i].Made};");
    }

    // What the container has to own: whatever is scoped or shared, and whatever it shall dispose.
    private static IEnumerable<OwnedInstance> Owned(ModuleModel module)
    {
        var seen = new HashSet<string>();
        foreach (var owner in module.Entries.SelectMany(e => e.Handlers).Where(h => !h.IsStatic).Select(h => h.Owner))
        {
            if (owner.IsOwned && seen.Add(owner.Full))
                yield return new(owner, owner.Full, []);
        }

        foreach (var middleware in module.Entries.SelectMany(e => e.Middleware).Concat(module.Wrappers.SelectMany(w => w.Middleware)))
        {
            if (middleware.Middleware.Instance.IsOwned && seen.Add(middleware.Full))
                yield return new(middleware.Middleware.Instance, middleware.Full, middleware.Arguments);
        }
    }

    /// <summary>The expression for a middleware that lives once.</summary>
    internal static string Once(AppliedMiddleware applied, string root)
        => applied.Middleware.Instance.IsOwned
            ? Resolve(applied.Full, root)
            : New(applied.Middleware.Instance, applied.Full, applied.Arguments, root, root);

    /// <summary>The expression for a middleware of one call.</summary>
    internal static string PerCall(AppliedMiddleware applied, string services, string root)
        => applied.Middleware.Instance.IsOwned
            ? Resolve(applied.Full, services)
            : New(applied.Middleware.Instance, applied.Full, applied.Arguments, services, root);

    internal static string New(
        InstanceModel instance, string full, IEnumerable<string> typeArguments, string services, string root)
        => $"new {full}(" + string.Join(", ", instance.Constructor.Select(a => Argument(a, typeArguments, services, root))) + ")";

    internal static string Argument(ArgumentModel argument, IEnumerable<string> typeArguments, string services, string root)
    {
        if (argument.Kind == ArgumentKind.Provider)
            return services;
        if (argument.IsValue)
            return argument.Otherwise;
        var provider = argument.IsSingleton ? root : services;
        var type = MiddlewareFit.Fill(argument.Type, typeArguments);
        var found = (argument.Key.Length > 0, argument.IsOptional) switch
        {
            (true, true) => $"_I::ServiceProviderKeyedServiceExtensions.GetKeyedService<{type}>({provider}, {argument.Key})",
            (true, false) => $"_I::ServiceProviderKeyedServiceExtensions.GetRequiredKeyedService<{type}>({provider}, {argument.Key})",
            (false, true) => $"_I::ServiceProviderServiceExtensions.GetService<{type}>({provider})",
            _ => Resolve(type, provider),
        };
        return argument.Otherwise.Length > 0 ? $"({found} ?? {argument.Otherwise})" : found;
    }

    internal static string Resolve(string type, string services)
        => $"_I::ServiceProviderServiceExtensions.GetRequiredService<{type}>({services})";

    private readonly struct OwnedInstance(InstanceModel instance, string full, IEnumerable<string> typeArguments)
    {
        internal string Full { get; } = full;

        internal Lifetime Lifetime { get; } = instance.Lifetime;

        internal string Made { get; } = New(instance, full, typeArguments, "provider", "provider");
    }
}
