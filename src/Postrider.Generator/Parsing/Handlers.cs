using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads handlers: classes that implement a handler interface, and methods marked <c>[Handler]</c>.</summary>
internal static class Handlers
{
    internal static IEnumerable<HandlerModel> OfClass(INamedTypeSymbol type)
    {
        if (type.IsAbstract || type.TypeKind != TypeKind.Class || type.IsUnboundGenericType
            || type.TypeArguments.Any(a => a is ITypeParameterSymbol) || !Names.IsReachable(type))
            yield break;

        InstanceModel owner = null;
        var attribute = Names.Attribute(type, Names.HandlerAttribute);
        foreach (var contract in type.AllInterfaces)
        {
            var (kind, shape) = Names.Definition(contract) switch
            {
                Names.RequestHandler => (MessageKind.Request, ResultShape.ValueTaskOfValue),
                Names.CommandHandler => (MessageKind.Command, ResultShape.ValueTask),
                Names.NotificationHandler => (MessageKind.Notification, ResultShape.ValueTask),
                Names.CompatHandler => (MessageKind.Request, ResultShape.TaskOfValue),
                Names.CompatCommandHandler => (MessageKind.Command, ResultShape.Task),
                Names.CompatNotificationHandler => (MessageKind.Notification, ResultShape.Task),
                Names.CompatStreamHandler => (MessageKind.Stream, ResultShape.Sequence),
                Names.StreamHandler => (MessageKind.Stream, ResultShape.Sequence),
                _ => default,
            };
            if (shape == default)
                continue;

            owner ??= Instances.Read(type, Names.Argument(attribute, "Lifetime", 0));
            var message = contract.TypeArguments[0];
            var response = contract.TypeArguments.Length > 1 ? contract.TypeArguments[1] : null;
            var method = type.FindImplementationForInterfaceMember(contract.GetMembers("Handle").First());
            var call = method is IMethodSymbol { ExplicitInterfaceImplementations.Length: > 0 }
                ? "((" + Names.Full(contract) + "){0}).Handle"
                : "{0}.Handle";
            yield return Make(
                message, kind, response, owner, isStatic: false, call,
                [new(ArgumentKind.Message, "", "", false, false), new(ArgumentKind.Cancellation, "", "", false, false)],
                shape, Names.Argument(attribute, "Order", 0));
        }
    }

    internal static HandlerModel OfMethod(IMethodSymbol method, AttributeData attribute, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (method.Parameters.Length == 0 || method.IsGenericMethod || !Names.IsReachable(method)
            || method.ContainingType is { IsGenericType: true } or { IsAbstract: true, IsStatic: false })
            return null;

        var message = method.Parameters[0].Type;
        var (shape, response) = Result(method.ReturnType);
        var kind = shape == ResultShape.Sequence ? MessageKind.Stream
            : Implements(message, Names.Notification) || Names.Attribute(message, Names.PublishAttribute) is not null ? MessageKind.Notification
            : response is null ? MessageKind.Command
            : MessageKind.Request;
        var owner = Instances.Read(
            method.ContainingType, Names.Argument(Names.Attribute(method.ContainingType, Names.HandlerAttribute), "Lifetime", 0));
        var call = method.IsStatic ? Names.Full(method.ContainingType) + "." + method.Name : "{0}." + method.Name;
        return Make(
            message, kind, response, owner, method.IsStatic, call, method.Parameters.Select((p, i) => Argument(p, i)), shape,
            Names.Argument(attribute, "Order", 0));
    }

    private static HandlerModel Make(
        ITypeSymbol message, MessageKind kind, ITypeSymbol response, InstanceModel owner, bool isStatic, string call,
        IEnumerable<ArgumentModel> arguments, ResultShape shape, int order) => new(
        Names.Type(message),
        kind,
        IsRequest(message) || Implements(message, Names.Notification) || Implements(message, Names.StreamRequest),
        kind switch
        {
            MessageKind.Command => EntryModel.UnitType,
            MessageKind.Notification => "",
            _ => Names.Full(response),
        },
        response is null ? new([kind == MessageKind.Command ? EntryModel.UnitType : ""]) : Names.Bases(response),
        owner,
        isStatic,
        call,
        new(arguments),
        shape,
        order,
        Strategy(Names.Attribute(message, Names.PublishAttribute)));

    internal static string Strategy(AttributeData attribute)
        => attribute is { ConstructorArguments.Length: 1 } && attribute.ConstructorArguments[0].Value is int value
            ? "(global::Postrider.PublishStrategy)" + value
            : "";

    internal static bool IsRequest(ITypeSymbol type) => Implements(type, Names.Request);

    internal static bool Implements(ITypeSymbol type, string definition)
        => Names.Definition(type) == definition || type.AllInterfaces.Any(i => Names.Definition(i) == definition);

    private static ArgumentModel Argument(IParameterSymbol parameter, int position)
    {
        if (position == 0)
            return new(ArgumentKind.Message, "", "", false, false);
        return Names.Definition(parameter.Type) switch
        {
            "System.Threading.CancellationToken" => new(ArgumentKind.Cancellation, "", "", false, false),
            Names.MessageContext => new(ArgumentKind.Context, "", "", false, false),
            _ => Instances.Service(parameter),
        };
    }

    private static (ResultShape Shape, ITypeSymbol Response) Result(ITypeSymbol type)
    {
        if (type.SpecialType == SpecialType.System_Void)
            return (ResultShape.Nothing, null);
        var argument = type is INamedTypeSymbol { TypeArguments.Length: 1 } generic ? generic.TypeArguments[0] : null;
        return Names.Definition(type) switch
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
