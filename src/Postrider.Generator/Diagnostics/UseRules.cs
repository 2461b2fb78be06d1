using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about the assembly's attributes that name handlers and middleware.</summary>
internal static class UseRules
{
    internal static IEnumerable<Diagnostic> Check(IAssemblySymbol assembly, CancellationToken ct)
    {
        foreach (var attribute in assembly.GetAttributes())
        {
            if (attribute.AttributeClass is not { } used || attribute.ConstructorArguments.Length != 1
                || attribute.ConstructorArguments[0].Value is not INamedTypeSymbol { TypeKind: not TypeKind.Error } type)
                continue;

            var why = used.ToDisplayString() switch
            {
                KnownNames.UseHandlerAttribute => WhyNoHandler(type),
                KnownNames.UseMiddlewareAttribute => WhyNoMiddleware(type, attribute),
                _ => null,
            };
            if (why is not null)
            {
                yield return Diagnostic.Create(
                    DiagnosticDescriptors.UselessUse, attribute.ApplicationSyntaxReference?.GetSyntax(ct).GetLocation(),
                    used.Name.Replace("Attribute", ""), TypeNames.Display(type), why);
            }
        }
    }

    private static string? WhyNoHandler(INamedTypeSymbol type)
        => type.IsUnboundGenericType ? $"it is open; specify its type arguments, as in typeof({type.Name}<Customer>)"
        : type.TypeKind != TypeKind.Class || type.IsAbstract ? "it is not a class that can be created"
        : !type.AllInterfaces.Any(KnownNames.IsHandlerContract) ? "it implements no handler interface"
        : Handlers.WhyNotWired(type);

    private static string? WhyNoMiddleware(INamedTypeSymbol type, AttributeData attribute)
    {
        if (Middlewares.Read(type, attribute).Any())
            return null;

        var made = type.IsUnboundGenericType ? type.OriginalDefinition : type;
        return type.TypeKind != TypeKind.Class || type.IsAbstract ? "it is not a class that can be created"
            : !TypeNames.IsReachable(made) ? "it is private or local to a file; make it internal"
            : InstanceReader.WhyNotMade(made) ?? "it implements no middleware interface";
    }
}
