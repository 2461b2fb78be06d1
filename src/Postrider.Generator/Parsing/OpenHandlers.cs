using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads handlers that are open for any notification, and the notifications that they are closed for.</summary>
internal static class OpenHandlers
{
    internal static OpenHandlerModel? Of(INamedTypeSymbol type)
    {
        if (Contract(type) is not { } contract || WhyNotClosed(type) is not null)
            return null;

        var attribute = TypeNames.Attribute(type, KnownNames.HandlerAttribute);
        var method = type.FindImplementationForInterfaceMember(contract.GetMembers("Handle").First());
        return new(
            InstanceReader.Read(type, TypeNames.Argument(attribute, "Lifetime", 0)),
            TypeNames.Full(type.ConstructUnboundGenericType()),
            method is IMethodSymbol { ExplicitInterfaceImplementations.Length: > 0 } ? InstanceReader.TemplateName(contract) : "",
            TypeNames.Definition(contract) == KnownNames.NotificationHandler ? ResultShape.ValueTask : ResultShape.Task,
            TypeNames.Argument(attribute, "Order", 0),
            Middlewares.Parameter(type.TypeParameters[0]));
    }

    /// <summary>A notification that can be published: a class or struct with a name.</summary>
    internal static NotificationModel? Notification(INamedTypeSymbol type)
        => type.TypeKind is TypeKind.Class or TypeKind.Struct && !type.IsAbstract && !IsGeneric(type)
            && Handlers.Implements(type, KnownNames.Notification) && TypeNames.IsNameable(type)
            ? new(TypeNames.Type(type), Handlers.Strategy(TypeNames.Attribute(type, KnownNames.PublishAttribute)))
            : null;

    /// <summary>Why a handler that is open for notifications is called for none, or null; null for any other class.</summary>
    internal static string? WhyNotClosed(INamedTypeSymbol type)
        => Contract(type) is null ? null
        : type.TypeParameters.Length > 1 || IsGeneric(type.ContainingType)
            ? "it has type parameters besides its notification; close it with [assembly: UseHandler]"
        : !TypeNames.IsReachable(type) ? "it is private or local to a file; make it internal"
        : InstanceReader.WhyNotMade(type);

    /// <summary>The handlers and notifications of referenced projects, as far as they are public.</summary>
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

    private static INamedTypeSymbol? Contract(INamedTypeSymbol type)
        => type is { TypeKind: TypeKind.Class, IsAbstract: false, TypeParameters.Length: > 0 }
            ? type.AllInterfaces.FirstOrDefault(i => TypeNames.Definition(i) is KnownNames.NotificationHandler or KnownNames.CompatNotificationHandler
                && i.TypeArguments[0] is ITypeParameterSymbol)
            : null;

    private static bool IsGeneric(INamedTypeSymbol? type) => type is not null && (type.TypeParameters.Length > 0 || IsGeneric(type.ContainingType));
}
