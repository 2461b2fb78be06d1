using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Parsing;

/// <summary>Reads sagas: classes marked <c>[Saga]</c> and their marked methods.</summary>
internal static class SagaReader
{
    internal static bool IsSaga(INamedTypeSymbol type) => TypeNames.Attribute(type, KnownNames.SagaAttribute) is not null;

    internal static SagaModel? Of(INamedTypeSymbol type, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (WhyNotWired(type) is not null)
            return null;

        var full = TypeNames.Full(type);
        var name = $"Saga_{type.Name}_{ModuleModel.Hash(full):x8}";
        var methods = new List<SagaMethodModel>();
        foreach (var method in Methods(type))
        {
            if (WhyNotWired(method) is null && methods.All(m => m.Handler.Message.Full != TypeNames.Full(method.Parameters[0].Type)))
                methods.Add(Method(type, method, name, methods.Count));
        }

        return methods.Count == 0 ? null : new(full, name, new(methods));
    }

    internal static IEnumerable<IMethodSymbol> Methods(INamedTypeSymbol type)
        => type.GetMembers().OfType<IMethodSymbol>().Where(m => Role(m) is not null);

    /// <summary>The role of a method in its saga, or null.</summary>
    internal static string? Role(IMethodSymbol method)
        => TypeNames.Attribute(method, KnownNames.StartsSagaAttribute) is not null ? "Starts"
        : TypeNames.Attribute(method, KnownNames.SagaTimeoutAttribute) is not null ? "Timeout"
        : TypeNames.Attribute(method, KnownNames.HandlerAttribute) is not null ? "Handles"
        : null;

    /// <summary>Why generated code cannot use a class as a saga, or null.</summary>
    internal static string? WhyNotWired(INamedTypeSymbol type)
        => type.IsStatic ? "it is static; its properties are the state"
        : type.IsAbstract ? "it is abstract"
        : type.TypeParameters.Length > 0 || type.ContainingType is { IsGenericType: true } ? "it is generic"
        : TypeNames.IsForbidden(type) || !TypeNames.IsReachable(type) ? "it is private, local to a file or obsolete as an error; make it internal"
        : !type.InstanceConstructors.Any(c => c.Parameters.Length == 0 && TypeNames.IsReachable(c)) ? "it has no constructor without parameters that generated code can call; take services as parameters of its methods"
        : InstanceReader.WhyNotMade(type) is { } unmade ? unmade
        : !Methods(type).Any(m => Role(m) == "Starts") ? "no method of it is marked [StartsSaga], so it never starts"
        : null;

    /// <summary>Why generated code cannot call a method of a saga, or null.</summary>
    internal static string? WhyNotWired(IMethodSymbol method)
    {
        var roles = new[] { KnownNames.StartsSagaAttribute, KnownNames.SagaTimeoutAttribute, KnownNames.HandlerAttribute }.Count(name => TypeNames.Attribute(method, name) is not null);
        if (roles > 1)
            return "it is marked twice; [StartsSaga] handles the message of a running saga too";
        if (method.IsStatic)
            return "it is static, and has no state";
        if (Handlers.WhyNotWired(method, inSaga: true) is { } why)
            return why;
        if (Shape(method) is null)
            return $"it returns {TypeNames.Display(method.ReturnType)}; no caller waits for a result of a saga: return nothing, a Task or a ValueTask";
        var message = method.Parameters[0].Type;
        return Handlers.Implements(message, KnownNames.StreamRequest) || (Handlers.IsRequest(message) && !Handlers.Implements(message, KnownNames.Command))
            ? "its message has a response; a saga handles commands without one and notifications"
            : null;
    }

    private static SagaMethodModel Method(INamedTypeSymbol type, IMethodSymbol method, string generated, int index)
    {
        var services = new List<ArgumentModel>();
        var arguments = new List<string>();
        foreach (var parameter in method.Parameters)
        {
            if (parameter.Ordinal == 0)
            {
                arguments.Add("message");
                continue;
            }

            switch (TypeNames.Definition(parameter.Type))
            {
                case "System.Threading.CancellationToken":
                    arguments.Add("stop");
                    break;
                case KnownNames.MessageContext:
                    arguments.Add("context");
                    break;
                case KnownNames.SagaContext:
                    arguments.Add("view");
                    break;
                case "System.IServiceProvider":
                    arguments.Add("services");
                    break;
                default:
                    arguments.Add("service" + services.Count);
                    services.Add(InstanceReader.Service(parameter));
                    break;
            }
        }

        var message = method.Parameters[0].Type;
        var kind = Handlers.Implements(message, KnownNames.Notification) || TypeNames.Attribute(message, KnownNames.PublishAttribute) is not null
            ? MessageKind.Notification : MessageKind.Command;
        // The services create the state's scope, if the store belongs to it.
        var taken = new[] { ArgumentKind.Message, ArgumentKind.Context, ArgumentKind.Provider, ArgumentKind.Cancellation }.Select(ArgumentModel.Of).Concat(services);
        var owner = new InstanceModel(TypeNames.Full(type), TypeNames.Display(type), new([]), Lifetime.Singleton, IsDisposable: false);
        var handler = Handlers.Make(
            message, kind, response: null, owner, isStatic: true, $"global::{CallSites.Namespace}.{generated}.Handle{index}", taken, ResultShape.ValueTask,
            TypeNames.Argument(TypeNames.Attribute(method, KnownNames.HandlerAttribute), "Order", 0));
        return new(handler, Role(method)!, SagaCorrelation.Of(method), TypeNames.Written(method.Name), new(arguments), new(services.Select(s => s.Type)), Shape(method)!.Value);
    }

    private static ResultShape? Shape(IMethodSymbol method)
        => method.ReturnsVoid ? ResultShape.Nothing
        : TypeNames.Definition(method.ReturnType) switch
        {
            "System.Threading.Tasks.Task" => ResultShape.Task,
            "System.Threading.Tasks.ValueTask" => ResultShape.ValueTask,
            _ => null,
        };
}
