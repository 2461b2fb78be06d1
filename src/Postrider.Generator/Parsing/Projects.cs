using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads what the project's assembly attributes and references say.</summary>
internal static class Projects
{
    /// <summary>The message types that a referenced module handles.</summary>
    internal static IEnumerable<string> Handled(INamedTypeSymbol module)
        => module.GetAttributes()
            .Where(a => a.AttributeClass?.ToDisplayString() == Names.HandlesAttribute && a.ConstructorArguments.Length == 1)
            .Select(a => a.ConstructorArguments[0].Value)
            .OfType<ITypeSymbol>()
            .Select(Names.Full);

    internal static ProjectModel Read(Compilation compilation, CancellationToken ct)
    {
        var middleware = new List<MiddlewareModel>();
        var handlers = new List<HandlerModel>();
        var handled = new List<string>();
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
                    && attribute.ConstructorArguments[0].Value is INamedTypeSymbol type
                    && Middlewares.Read(type, attribute) is { } model:
                    middleware.Add(model);
                    break;
            }
        }

        // MediatR's behaviors are found in the container, as there: outermost, so that ready middleware stays inside.
        var behaviors = compilation.GetTypeByMetadataName(Names.CompatBehaviors);
        if (behaviors is not null && Middlewares.Read(behaviors, Names.Attribute(behaviors, Names.MiddlewareAttribute)) is { } compat)
            middleware.Add(compat);

        var references = new List<string>();
        foreach (var reference in compilation.SourceModule.ReferencedAssemblySymbols)
        {
            ct.ThrowIfCancellationRequested();
            var module = Names.Attribute(reference, Names.ModuleAttribute);
            if (module is { ConstructorArguments.Length: 1 } && module.ConstructorArguments[0].Value is INamedTypeSymbol type)
            {
                references.Add(Names.Full(type));
                handled.AddRange(Handled(type));
            }
        }

        return new(compilation.AssemblyName ?? "Application", host, new(references), new(middleware), new(handlers), new(handled), strategy, behaviors is not null);
    }
}
