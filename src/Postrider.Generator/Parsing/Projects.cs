using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads what the project's assembly attributes and references say.</summary>
internal static class Projects
{
    // What a referenced assembly says does not change while its symbol lives; the compiler keeps the symbol from edit to edit.
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
                case Names.HostAttribute:
                    host = true;
                    break;
                case Names.PublishAttribute:
                    strategy = Handlers.Strategy(attribute);
                    break;
                case Names.UseHandlerAttribute
                    when attribute.ConstructorArguments.Length == 1 && attribute.ConstructorArguments[0].Value is INamedTypeSymbol added:
                    handlers.AddRange(Handlers.OfClass(added));
                    break;
                case Names.UseMiddlewareAttribute
                    when attribute.ConstructorArguments.Length == 1
                    && attribute.ConstructorArguments[0].Value is INamedTypeSymbol type:
                    middleware.AddRange(Middlewares.Read(type, attribute));
                    break;
            }
        }

        // MediatR's behaviors are found in the container, as there: outside, so that ready middleware stays inside.
        var hasCompat = false;
        foreach (var name in new[] { Names.CompatBehaviors, Names.CompatCommandBehaviors, Names.CompatStreamBehaviors })
        {
            if (compilation.GetTypeByMetadataName(name) is { } behaviors)
            {
                hasCompat = true;
                middleware.AddRange(Middlewares.Read(behaviors, Names.Attribute(behaviors, Names.MiddlewareAttribute)));
            }
        }

        var references = new List<string>();
        var foreign = new List<ForeignMessageModel>();
        foreach (var assembly in compilation.SourceModule.ReferencedAssemblySymbols)
        {
            ct.ThrowIfCancellationRequested();
            var reference = s_references.GetValue(assembly, static a => Reference.Of(a));
            if (reference.Module.Length == 0)
                continue;
            references.Add(reference.Module);
            foreign.AddRange(reference.Messages);
        }

        return new(compilation.AssemblyName ?? "Application", host, new(references), new(middleware), new(handlers), new(foreign), strategy, hasCompat);
    }

    private sealed class Reference(string module, EquatableArray<ForeignMessageModel> messages)
    {
        internal string Module { get; } = module;

        internal EquatableArray<ForeignMessageModel> Messages { get; } = messages;

        internal static Reference Of(IAssemblySymbol assembly)
            => Names.Attribute(assembly, Names.ModuleAttribute) is { ConstructorArguments.Length: 1 } attribute
                && attribute.ConstructorArguments[0].Value is INamedTypeSymbol module
                ? new(Names.Full(module), new(module.GetAttributes().Select(a => Message(a, assembly.Name)).Where(m => m is not null)))
                : new("", default);

        private static ForeignMessageModel Message(AttributeData attribute, string handledBy)
        {
            var arguments = attribute.ConstructorArguments;
            if (attribute.AttributeClass?.ToDisplayString() != Names.HandlesAttribute
                || arguments.Length != 3 || arguments[0].Value is not ITypeSymbol message || arguments[1].Value is not int kind)
                return null;

            var home = message.ContainingAssembly?.Name ?? "";
            return arguments[2].Value is ITypeSymbol response
                ? new(Names.Type(message), (MessageKind)kind, Names.Full(response), Names.Bases(response), home, handledBy)
                : new(Names.Type(message), (MessageKind)kind, "", default, home, handledBy);
        }
    }
}
