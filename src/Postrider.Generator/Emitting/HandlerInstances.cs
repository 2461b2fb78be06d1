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

        var registered = Owned(module).ToList();
        if (registered.Count == 0)
            return;

        using (source.Block($"public override void AddServices(_I::IServiceCollection services)"))
        {
            foreach (var line in registered)
                source.Line(line);
        }
    }

    // What the container has to own: whatever is scoped or shared, and whatever it shall dispose.
    private static IEnumerable<string> Owned(ModuleModel module)
    {
        var seen = new HashSet<string>();
        foreach (var entry in module.Entries)
        {
            foreach (var handler in entry.Handlers.Where(h => !h.IsStatic))
            {
                if (Owned(handler.Owner, handler.Owner.Full, []) is { } line && seen.Add(line))
                    yield return line;
            }

        }

        foreach (var middleware in module.Entries.SelectMany(e => e.Middleware).Concat(module.Wrappers.SelectMany(w => w.Middleware)))
        {
            if (Owned(middleware.Middleware.Instance, middleware.Full, middleware.Arguments) is { } line && seen.Add(line))
                yield return line;
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

    private static string Owned(InstanceModel instance, string full, IEnumerable<string> typeArguments)
    {
        if (!instance.IsOwned)
            return null;
        var made = New(instance, full, typeArguments, "provider", "provider");
        return $"_I::ServiceCollectionServiceExtensions.Add{instance.Lifetime}<{full}>(services, static provider => {made});";
    }

    internal static string New(
        InstanceModel instance, string full, IEnumerable<string> typeArguments, string services, string root)
        => $"new {full}(" + string.Join(", ", instance.Constructor.Select(a => Argument(a, typeArguments, services, root))) + ")";

    internal static string Argument(ArgumentModel argument, IEnumerable<string> typeArguments, string services, string root)
    {
        if (argument.Kind == ArgumentKind.Provider)
            return services;
        var provider = argument.IsSingleton ? root : services;
        var type = MiddlewareFit.Fill(argument.Type, typeArguments);
        if (argument.Key.Length > 0)
            return $"_I::ServiceProviderKeyedServiceExtensions.GetRequiredKeyedService<{type}>({provider}, {argument.Key})";
        return argument.IsOptional
            ? $"_I::ServiceProviderServiceExtensions.GetService<{type}>({provider})"
            : Resolve(type, provider);
    }

    internal static string Resolve(string type, string services)
        => $"_I::ServiceProviderServiceExtensions.GetRequiredService<{type}>({services})";
}
