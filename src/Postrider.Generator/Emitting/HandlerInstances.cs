using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>The handler classes of a module: singletons have a member each, the others are created by the steps that call them.</summary>
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

    internal void Emit(SourceWriter source)
    {
        if (_ordered.Count > 0)
            source.Line("private readonly object _making = new(); // guards creating singleton handlers; C# 12 has no Lock");
        for (var i = 0; i < _ordered.Count; i++)
        {
            var instance = _ordered[i];
            source.Line($"private {instance.Full}? _handler{i};");
            var made = instance.IsDisposable ? OnceOf(instance, instance.Full, [], "root")
                : $"_D::InstanceFactory.Registered<{instance.Full}>(root) ?? {New(instance, instance.Full, [], "root", "root")}";
            source.Line($"internal {instance.Full} Handler{i}(_S::IServiceProvider root) {{ lock (_making) return _handler{i} ??= {made}; }}");
        }
    }

    /// <summary>The expression for a middleware that lives once.</summary>
    internal static string Once(AppliedMiddleware applied, string root)
    {
        var instance = applied.Middleware.Instance;
        return instance.IsShared || instance.IsDisposable
            ? OnceOf(instance, applied.Full, applied.Arguments, root)
            : $"_D::InstanceFactory.Registered<{applied.Full}>({root}) ?? {NewOf(applied, root)}";
    }

    /// <summary>As <see cref="Once"/>, written as a step's field without a string in between: most middleware is this one.</summary>
    internal static void EmitOnce(SourceWriter source, AppliedMiddleware applied, string field)
    {
        if (applied.Middleware.Instance is { IsShared: false, IsDisposable: false })
            source.Line($"private readonly {applied.Full} {field} = _D::InstanceFactory.Registered<{applied.Full}>(root) ?? {NewOf(applied, "root")};");
        else
            source.Line($"private readonly {applied.Full} {field} = {Once(applied, "root")};");
    }

    // The type is that of the field or argument for which it is created.
    private static string NewOf(AppliedMiddleware applied, string root)
        => applied.Middleware.Instance.Constructor.Count == 0 ? "new()"
            : New(applied.Middleware.Instance, full: "", applied.Arguments, root, root);

    /// <summary>The expression for an instance of one call, and the field that a step keeps for it, or an empty one.</summary>
    /// <remarks>A scope has one scoped instance of a class; instances that a scope disposes are passed to it.</remarks>
    internal static (string Instance, string Maker) PerCall(
        InstanceModel instance, string full, IEnumerable<string> typeArguments, string state, string services, string root, string maker)
    {
        if (instance.Lifetime != Lifetime.Scoped && !instance.IsDisposable)
        {
            return ($"({maker} is null ? {New(instance, full, typeArguments, services, root)} : _R::Unsafe.As<{full}>({maker}(_D::CallState.ServicesOr({state}, {root}))))",
                $"private readonly {MakerType}? {maker} = _D::InstanceFactory.RegisteredPerCall({root}, typeof({full}));");
        }

        var made = instance.Lifetime == Lifetime.Scoped
            ? $"_D::CallState.Scoped({state}, typeof({full}), {maker})"
            : $"{maker}({services})";
        var kind = instance.IsDisposable ? "Disposed" : "PerCall";
        return ($"_R::Unsafe.As<{full}>({made})",
            $"private readonly {MakerType} {maker} = _D::InstanceFactory.{kind}({root}, typeof({full}), {MakerOf(instance, full, typeArguments)});");
    }

    private static string OnceOf(InstanceModel instance, string full, IEnumerable<string> typeArguments, string root)
        => $"({full})_D::InstanceFactory.Once({root}, typeof({full}), {(instance.IsDisposable ? "true" : "false")}, {MakerOf(instance, full, typeArguments)})";

    private static string MakerOf(InstanceModel instance, string full, IEnumerable<string> typeArguments)
        => $"static services => {New(instance, full, typeArguments, "services", "services")}";

    internal static string New(
        InstanceModel instance, string full, IEnumerable<string> typeArguments, string services, string root)
        => $"new {full}(" + string.Join(", ", instance.Constructor.Select(a => Argument(a, typeArguments, services, root, instance.Display))) + ")";

    internal static string Argument(ArgumentModel argument, IEnumerable<string> typeArguments, string services, string root, string owner)
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
            _ => $"_D::InstanceFactory.Required<{type}>({provider}, {ModuleEmitter.Literal(owner)})",
        };
        return argument.Otherwise.Length > 0 ? $"({found} ?? {argument.Otherwise})" : found;
    }
}
