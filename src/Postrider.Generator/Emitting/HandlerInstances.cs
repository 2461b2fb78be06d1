using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>The handler classes of a module: those that live once have a member each, the others are made by the steps that call them.</summary>
internal sealed class HandlerInstances
{
    private const string MakerType = "_S::Func<_S::IServiceProvider, object>";

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

    internal void Emit(Source source)
    {
        if (_ordered.Count > 0)
            source.Line("private readonly object _making = new(); // guards making handlers that live once; C# 12 knows no Lock");
        for (var i = 0; i < _ordered.Count; i++)
        {
            var instance = _ordered[i];
            source.Line($"private {instance.Full}? _handler{i};");
            var made = instance.IsDisposable ? OnceOf(instance, instance.Full, [], "root") : New(instance, instance.Full, [], "root", "root");
            source.Line($"internal {instance.Full} Handler{i}(_S::IServiceProvider root) {{ lock (_making) return _handler{i} ??= {made}; }}");
        }
    }

    /// <summary>The expression for a middleware that lives once.</summary>
    internal static string Once(AppliedMiddleware applied, string root)
    {
        var instance = applied.Middleware.Instance;
        return instance.IsShared || instance.IsDisposable
            ? OnceOf(instance, applied.Full, applied.Arguments, root)
            : New(instance, applied.Full, applied.Arguments, root, root);
    }

    /// <summary>The expression for an instance of one call, and the field that a step keeps for it, or an empty one.</summary>
    /// <remarks>A scope has one scoped instance of a class; what a scope disposes is handed to it.</remarks>
    internal static (string Instance, string Maker) PerCall(
        InstanceModel instance, string full, IEnumerable<string> typeArguments, string state, string services, string root, string maker)
    {
        if (instance.Lifetime != Lifetime.Scoped && !instance.IsDisposable)
            return (New(instance, full, typeArguments, services, root), "");

        var made = instance.Lifetime == Lifetime.Scoped
            ? $"_D::CallState.Scoped({state}, typeof({full}), {maker})"
            : $"{maker}({services})";
        var kind = instance.IsDisposable ? "Disposed" : "PerCall";
        return ($"_R::Unsafe.As<{full}>({made})",
            $"private readonly {MakerType} {maker} = _D::Instances.{kind}({root}, typeof({full}), {MakerOf(instance, full, typeArguments)});");
    }

    private static string OnceOf(InstanceModel instance, string full, IEnumerable<string> typeArguments, string root)
        => $"({full})_D::Instances.Once({root}, typeof({full}), {(instance.IsDisposable ? "true" : "false")}, {MakerOf(instance, full, typeArguments)})";

    private static string MakerOf(InstanceModel instance, string full, IEnumerable<string> typeArguments)
        => $"static services => {New(instance, full, typeArguments, "services", "services")}";

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
}
