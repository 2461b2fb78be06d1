using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Parsing;

/// <summary>Reads the project's assembly attributes and references.</summary>
internal static class Projects
{
    // The contents of a referenced assembly do not change while its symbol lives; the compiler keeps the symbol between edits.
    private static readonly ConditionalWeakTable<IAssemblySymbol, Reference> s_references = new();

    internal static ProjectModel Read(Compilation compilation, CancellationToken ct)
    {
        var middleware = new List<MiddlewareModel>();
        var handlers = new List<HandlerModel>();
        var host = compilation.Options.OutputKind != OutputKind.DynamicallyLinkedLibrary;
        var strategy = "";
        foreach (var attribute in compilation.Assembly.GetAttributes())
        {
            switch (attribute.AttributeClass?.ToDisplayString())
            {
                case KnownNames.HostAttribute:
                    host = true;
                    break;
                case KnownNames.PublishAttribute:
                    strategy = Handlers.Strategy(attribute);
                    break;
                case KnownNames.UseHandlerAttribute
                    when attribute.ConstructorArguments.Length == 1 && attribute.ConstructorArguments[0].Value is INamedTypeSymbol added:
                    handlers.AddRange(Handlers.OfClass(added));
                    break;
                case KnownNames.UseMiddlewareAttribute
                    when attribute.ConstructorArguments.Length == 1
                    && attribute.ConstructorArguments[0].Value is INamedTypeSymbol type:
                    middleware.AddRange(Middlewares.Read(type, attribute));
                    break;
            }
        }

        // MediatR's behaviors come from the container, as in MediatR: outside, so that built-in middleware stays inside.
        var hasCompat = false;
        foreach (var name in new[] { KnownNames.CompatBehaviors, KnownNames.CompatCommandBehaviors, KnownNames.CompatStreamBehaviors })
        {
            if (compilation.GetTypeByMetadataName(name) is { } behaviors)
            {
                hasCompat = true;
                middleware.AddRange(Middlewares.Read(behaviors, TypeNames.Attribute(behaviors, KnownNames.MiddlewareAttribute)));
            }
        }

        var references = new List<string>();
        var foreign = new List<ForeignMessageModel>();
        var read = new List<Reference>();
        foreach (var assembly in compilation.SourceModule.ReferencedAssemblySymbols)
        {
            ct.ThrowIfCancellationRequested();
            var reference = s_references.GetValue(assembly, static a => Reference.Of(a));
            if (reference.Notifications.Count + reference.OpenHandlers.Count + reference.Uses.Count > 0)
                read.Add(reference);
            if (reference.Module.Length == 0)
                continue;
            references.Add(reference.Module);
            foreign.AddRange(reference.Messages);
        }

        handlers.AddRange(CloseForeign(read).Where(c => !handlers.Exists(h => h.Owner.Full == c.Owner.Full && h.Message.Full == c.Message.Full)).ToList());
        return new(compilation.AssemblyName ?? "Application", host, new(references), new(middleware), new(handlers), new(foreign), strategy, hasCompat,
            new(read.SelectMany(r => r.OpenHandlers)), new(read.SelectMany(r => r.Notifications)));
    }

    // Pairs of a handler in one reference and a notification in another that no earlier project has seen.
    private static IEnumerable<HandlerModel> CloseForeign(List<Reference> references)
    {
        foreach (var handling in references.Where(r => r.OpenHandlers.Count > 0))
        {
            foreach (var publishing in references.Where(r => r.Notifications.Count > 0))
            {
                if (references.Any(r => r.Sees(handling.Name) && r.Sees(publishing.Name)))
                    continue;
                foreach (var open in handling.OpenHandlers)
                {
                    foreach (var closed in open.Close(publishing.Notifications))
                        yield return closed;
                }
            }
        }
    }

    private sealed class Reference(
        string name, HashSet<string> uses, string module, EquatableArray<ForeignMessageModel> messages,
        List<OpenHandlerModel> openHandlers, List<NotificationModel> notifications)
    {
        internal string Name { get; } = name;

        /// <summary>The assemblies that it references, if Postrider is one of them.</summary>
        internal HashSet<string> Uses { get; } = uses;

        internal string Module { get; } = module;

        internal EquatableArray<ForeignMessageModel> Messages { get; } = messages;

        internal List<OpenHandlerModel> OpenHandlers { get; } = openHandlers;

        internal List<NotificationModel> Notifications { get; } = notifications;

        /// <summary>Whether its own generated code can access types of an assembly.</summary>
        internal bool Sees(string assembly) => Name == assembly || Uses.Contains(assembly);

        internal static Reference Of(IAssemblySymbol assembly)
        {
            var module = TypeNames.Attribute(assembly, KnownNames.ModuleAttribute) is { ConstructorArguments.Length: 1 } attribute
                ? attribute.ConstructorArguments[0].Value as INamedTypeSymbol
                : null;
            var uses = new HashSet<string>(assembly.Modules.SelectMany(m => m.ReferencedAssemblies).Select(r => r.Name));
            var handlers = new List<OpenHandlerModel>();
            var notifications = new List<NotificationModel>();

            // Postrider's own libraries have neither, but many types.
            if (!uses.Any(IsPostrider) || (module is null && assembly.Name.StartsWith("Postrider.", System.StringComparison.Ordinal)))
                uses.Clear();
            else
                Parsing.OpenHandlers.Visit(assembly.GlobalNamespace, handlers, notifications, CancellationToken.None);
            return new(
                assembly.Name, uses, module is null ? "" : TypeNames.Full(module),
                new((module?.GetAttributes() ?? []).Select(a => Message(a, assembly.Name)).OfType<ForeignMessageModel>()), handlers, notifications);
        }

        private static bool IsPostrider(string assembly) => assembly is "Postrider" or "Postrider.Compat.MediatR";

        private static ForeignMessageModel? Message(AttributeData attribute, string handledBy)
        {
            var arguments = attribute.ConstructorArguments;
            if (attribute.AttributeClass?.ToDisplayString() != KnownNames.HandlesAttribute
                || arguments.Length != 3 || arguments[0].Value is not ITypeSymbol message || arguments[1].Value is not int kind)
                return null;

            var home = message.ContainingAssembly?.Name ?? "";
            return arguments[2].Value is ITypeSymbol response
                ? new(TypeNames.Type(message), (MessageKind)kind, TypeNames.Full(response), TypeNames.Bases(response), home, handledBy)
                : new(TypeNames.Type(message), (MessageKind)kind, "", default, home, handledBy);
        }
    }
}
