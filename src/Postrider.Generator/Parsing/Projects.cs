using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads what the project's assembly attributes and references say.</summary>
internal static class Projects
{
    internal static ProjectModel Read(Compilation compilation, CancellationToken ct)
    {
        var middleware = new List<MiddlewareModel>();
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
                case Names.UseMiddlewareAttribute
                    when attribute.ConstructorArguments.Length == 1
                    && attribute.ConstructorArguments[0].Value is INamedTypeSymbol type
                    && Middlewares.Read(type, attribute) is { } model:
                    middleware.Add(model);
                    break;
            }
        }

        var references = new List<string>();
        foreach (var reference in compilation.SourceModule.ReferencedAssemblySymbols)
        {
            ct.ThrowIfCancellationRequested();
            var module = Names.Attribute(reference, Names.ModuleAttribute);
            if (module is { ConstructorArguments.Length: 1 } && module.ConstructorArguments[0].Value is INamedTypeSymbol type)
                references.Add(Names.Full(type));
        }

        return new(compilation.AssemblyName ?? "Application", host, new(references), new(middleware), strategy);
    }
}
