using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads handlers that are open for any notification, and the notifications that they are closed for.</summary>
internal static class OpenHandlers
{
    internal static OpenHandlerModel Of(INamedTypeSymbol type)
    {
        if (Contract(type) is not { } contract || WhyNotClosed(type) is not null)
            return null;

        var attribute = Names.Attribute(type, Names.HandlerAttribute);
        var method = type.FindImplementationForInterfaceMember(contract.GetMembers("Handle").First());
        return new(
            Instances.Read(type, Names.Argument(attribute, "Lifetime", 0)),
            Names.Full(type.ConstructUnboundGenericType()),
            method is IMethodSymbol { ExplicitInterfaceImplementations.Length: > 0 } ? Instances.TemplateName(contract) : "",
            Names.Definition(contract) == Names.NotificationHandler ? ResultShape.ValueTask : ResultShape.Task,
            Names.Argument(attribute, "Order", 0),
            Middlewares.Parameter(type.TypeParameters[0]));
    }

    /// <summary>A notification that can be published: a class or struct with a name.</summary>
    internal static NotificationModel Notification(INamedTypeSymbol type)
        => type.TypeKind is TypeKind.Class or TypeKind.Struct && !type.IsAbstract && !IsGeneric(type)
            && Handlers.Implements(type, Names.Notification) && Names.IsNameable(type)
            ? new(Names.Type(type), Handlers.Strategy(Names.Attribute(type, Names.PublishAttribute)))
            : null;

    /// <summary>Why a handler that is open for notifications is called for none, or null; null for any other class.</summary>
    internal static string WhyNotClosed(INamedTypeSymbol type)
        => Contract(type) is null ? null
        : type.TypeParameters.Length > 1 || IsGeneric(type.ContainingType)
            ? "it has type parameters beside its notification; close it by [assembly: UseHandler]"
        : !Names.IsReachable(type) ? "it is private or local to a file; make it internal"
        : Instances.WhyNotMade(type);

    /// <summary>What referenced projects have of both, as far as everybody sees it.</summary>
    internal static void Visit(
        INamespaceOrTypeSymbol container, List<OpenHandlerModel> handlers, List<NotificationModel> notifications, CancellationToken ct)
    {
        foreach (var member in container.GetMembers())
        {
            ct.ThrowIfCancellationRequested();
            if (member is INamespaceSymbol space)
                Visit(space, handlers, notifications, ct);
            else if (member is INamedTypeSymbol { DeclaredAccessibility: Accessibility.Public } type)
            {
                if (Notification(type) is { } notification)
                    notifications.Add(notification);
                else if (Of(type) is { } handler)
                    handlers.Add(handler);
                Visit(type, handlers, notifications, ct);
            }
        }
    }

    private static INamedTypeSymbol Contract(INamedTypeSymbol type)
        => type is { TypeKind: TypeKind.Class, IsAbstract: false, TypeParameters.Length: > 0 }
            ? type.AllInterfaces.FirstOrDefault(i => Names.Definition(i) is Names.NotificationHandler or Names.CompatNotificationHandler
                && i.TypeArguments[0] is ITypeParameterSymbol)
            : null;

    private static bool IsGeneric(INamedTypeSymbol type) => type is not null && (type.TypeParameters.Length > 0 || IsGeneric(type.ContainingType));
}
