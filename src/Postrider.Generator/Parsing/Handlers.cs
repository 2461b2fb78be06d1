using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads handlers: classes that implement a handler interface, and methods marked <c>[Handler]</c>.</summary>
internal static class Handlers
{
    private const string Obsolete = "it is obsolete as an error, so generated code cannot name it; make it a warning";

    internal static IEnumerable<HandlerModel> OfClass(INamedTypeSymbol type)
    {
        if (type.IsAbstract || type.TypeKind != TypeKind.Class || type.IsUnboundGenericType || WhyNotWired(type) is not null)
            yield break;

        InstanceModel? owner = null;
        var attribute = TypeNames.Attribute(type, KnownNames.HandlerAttribute);
        foreach (var contract in type.AllInterfaces)
        {
            var (kind, shape) = TypeNames.Definition(contract) switch
            {
                KnownNames.RequestHandler => (MessageKind.Request, ResultShape.ValueTaskOfValue),
                KnownNames.CommandHandler => (MessageKind.Command, ResultShape.ValueTask),
                KnownNames.NotificationHandler => (MessageKind.Notification, ResultShape.ValueTask),
                KnownNames.CompatHandler => (MessageKind.Request, ResultShape.TaskOfValue),
                KnownNames.CompatCommandHandler => (MessageKind.Command, ResultShape.Task),
                KnownNames.CompatNotificationHandler => (MessageKind.Notification, ResultShape.Task),
                KnownNames.CompatStreamHandler => (MessageKind.Stream, ResultShape.Sequence),
                KnownNames.StreamHandler => (MessageKind.Stream, ResultShape.Sequence),
                _ => default,
            };
            if (shape == default)
                continue;

            owner ??= InstanceReader.Read(type, TypeNames.Argument(attribute, "Lifetime", 0));
            var message = contract.TypeArguments[0];
            var response = contract.TypeArguments.Length > 1 ? contract.TypeArguments[1] : null;
            if (contract.TypeArguments.Any(a => !TypeNames.IsNameable(a)))
                continue;
            var method = type.FindImplementationForInterfaceMember(contract.GetMembers("Handle").First());
            var call = method is IMethodSymbol { ExplicitInterfaceImplementations.Length: > 0 }
                ? "((" + TypeNames.Full(contract) + "){0}).Handle"
                : "{0}.Handle";
            yield return Make(
                message, kind, response, owner, isStatic: false, call,
                [ArgumentModel.Of(ArgumentKind.Message), ArgumentModel.Of(ArgumentKind.Cancellation)],
                shape, TypeNames.Argument(attribute, "Order", 0)) with
            {
                Definition = kind == MessageKind.Notification && type.TypeArguments.Length > 0 ? TypeNames.Full(type.ConstructUnboundGenericType()) : "",
            };
        }
    }

    internal static HandlerModel? OfMethod(IMethodSymbol method, AttributeData? attribute, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (SagaReader.IsSaga(method.ContainingType) || WhyNotWired(method) is not null)
            return null;

        var message = method.Parameters[0].Type;
        var (shape, response) = Result(method.ReturnType);
        var kind = shape == ResultShape.Sequence ? MessageKind.Stream
            : Implements(message, KnownNames.Notification) || TypeNames.Attribute(message, KnownNames.PublishAttribute) is not null ? MessageKind.Notification
            : response is null ? MessageKind.Command
            : MessageKind.Request;
        var owner = InstanceReader.Read(
            method.ContainingType, TypeNames.Argument(TypeNames.Attribute(method.ContainingType, KnownNames.HandlerAttribute), "Lifetime", 0));
        var call = (method.IsStatic ? TypeNames.Full(method.ContainingType) : "{0}") + "." + TypeNames.Written(method.Name);
        return Make(
            message, kind, response, owner, method.IsStatic, call, method.Parameters.Select((p, i) => Argument(p, i)), shape,
            TypeNames.Argument(attribute, "Order", 0));
    }

    /// <summary>Why generated code cannot call a handler class, or null.</summary>
    internal static string? WhyNotWired(INamedTypeSymbol type)
        => TypeNames.IsForbidden(type) ? Obsolete
        : !TypeNames.IsReachable(type) ? "it is private or local to a file; make it internal"
        : type.TypeKind == TypeKind.Struct ? "it is a struct; make it a class"
        : !TypeNames.IsNameable(type) ? "it is generic; close it with [assembly: UseHandler]"
        : InstanceReader.WhyNotMade(type);

    /// <summary>Why generated code cannot call a handler method, or null.</summary>
    internal static string? WhyNotWired(IMethodSymbol method, bool inSaga = false)
        => method.MethodKind is not (MethodKind.Ordinary or MethodKind.ExplicitInterfaceImplementation) ? "it is not a method of a class; make it one"
        : TypeNames.IsForbidden(method) || TypeNames.IsForbidden(method.ContainingType) ? Obsolete
        : method.Parameters.Length == 0 ? "its first parameter must be the message"
        : method.Parameters[0].Type is IArrayTypeSymbol ? "its message is an array; define a type for it"
        : method.Parameters[0].Type.SpecialType != SpecialType.None ? $"its message is '{TypeNames.Display(method.Parameters[0].Type)}', which does not describe its purpose; define a type for it"
        : method.Parameters.Skip(1).FirstOrDefault(IsNoService) is { } value ? $"its parameter '{value.Name}' is '{TypeNames.Display(value.Type)}', which is not a service; make it part of the message"
        : method.IsGenericMethod || method.ContainingType.IsGenericType ? "it is generic; close it in a class named by [assembly: UseHandler]"
        : !TypeNames.IsReachable(method) || method.ContainingType is { IsAbstract: true, IsStatic: false }
            ? "it is private, or its class is private or abstract; make it internal"
        : method is { IsAsync: true, ReturnsVoid: true } ? "it is async void, so its completion and its errors are lost; return a ValueTask or a Task"
        : method.ReturnsByRef || method.ReturnsByRefReadonly ? "it returns a reference"
        : method.Parameters.Any(p => p.RefKind is RefKind.Ref or RefKind.Out) ? "a parameter is passed by reference"
        : method.Parameters.Any(p => !TypeNames.IsNameable(p.Type)) || (!method.ReturnsVoid && !TypeNames.IsNameable(method.ReturnType))
            ? "generated code cannot name the type of its message, of its response or of a parameter: it is private, local to a file, a pointer, a ref struct or obsolete as an error"
        : method.IsStatic || inSaga ? null : InstanceReader.WhyNotMade(method.ContainingType);

    // Types that no container provides, unless the parameter has a key or a default value.
    private static bool IsNoService(IParameterSymbol parameter)
        => parameter.Type is { IsValueType: true, SpecialType: not SpecialType.None } && !parameter.HasExplicitDefaultValue
            && TypeNames.Attribute(parameter, "Microsoft.Extensions.DependencyInjection.FromKeyedServicesAttribute") is null;

    internal static HandlerModel Make(
        ITypeSymbol message, MessageKind kind, ITypeSymbol? response, InstanceModel owner, bool isStatic, string call,
        IEnumerable<ArgumentModel> arguments, ResultShape shape, int order) => new(
        TypeNames.Type(message),
        kind,
        IsRequest(message) || Implements(message, KnownNames.Notification) || Implements(message, KnownNames.StreamRequest),
        kind switch
        {
            MessageKind.Command => EntryModel.UnitType,
            MessageKind.Notification => "",
            _ => response is null ? "" : TypeNames.Full(response),
        },
        response is null ? kind == MessageKind.Command ? EntryModel.UnitBases : new([""]) : TypeNames.Bases(response),
        owner,
        isStatic,
        call,
        new(arguments),
        shape,
        order,
        Strategy(TypeNames.Attribute(message, KnownNames.PublishAttribute)));

    internal static string Strategy(AttributeData? attribute)
        => attribute is { ConstructorArguments.Length: 1 } && attribute.ConstructorArguments[0].Value is int value
            ? "(global::Postrider.PublishStrategy)" + value
            : "";

    internal static bool IsRequest(ITypeSymbol type) => Implements(type, KnownNames.Request);

    internal static bool Implements(ITypeSymbol type, string definition)
        => TypeNames.Definition(type) == definition || type.AllInterfaces.Any(i => TypeNames.Definition(i) == definition);

    private static ArgumentModel Argument(IParameterSymbol parameter, int position)
    {
        if (position == 0)
            return ArgumentModel.Of(ArgumentKind.Message);
        return TypeNames.Definition(parameter.Type) switch
        {
            "System.Threading.CancellationToken" => ArgumentModel.Of(ArgumentKind.Cancellation),
            KnownNames.MessageContext => ArgumentModel.Of(ArgumentKind.Context),
            _ => InstanceReader.Service(parameter),
        };
    }

    private static (ResultShape Shape, ITypeSymbol? Response) Result(ITypeSymbol type)
    {
        if (type.SpecialType == SpecialType.System_Void)
            return (ResultShape.Nothing, null);
        var argument = type is INamedTypeSymbol { TypeArguments.Length: 1 } generic ? generic.TypeArguments[0] : null;
        return TypeNames.Definition(type) switch
        {
            "System.Threading.Tasks.Task" => (ResultShape.Task, null),
            "System.Threading.Tasks.ValueTask" => (ResultShape.ValueTask, null),
            "System.Threading.Tasks.Task<TResult>" => (ResultShape.TaskOfValue, argument),
            "System.Threading.Tasks.ValueTask<TResult>" => (ResultShape.ValueTaskOfValue, argument),
            "System.Collections.Generic.IAsyncEnumerable<T>" => (ResultShape.Sequence, argument),
            _ => (ResultShape.Value, type),
        };
    }
}
