using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about middleware.</summary>
internal static class MiddlewareRules
{
    internal static void Check(
        SymbolAnalysisContext context, INamedTypeSymbol type, HandlerIndex index, Lazy<HashSet<string>> scoped)
    {
        var attribute = TypeNames.Attribute(type, KnownNames.MiddlewareAttribute);
        if (attribute is not null && InstanceReader.WhyNotMade(type) is { } unmade && !type.IsAbstract)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.UnreachableMiddleware, type.Locations.FirstOrDefault(l => l.IsInSource), TypeNames.Display(type), "cannot be created: " + unmade));
            return;
        }

        var models = Middlewares.Read(type, attribute).Where(m => !m.IsCompat).ToList();
        if (models.Count == 0)
            return;

        var location = type.Locations.FirstOrDefault(l => l.IsInSource);
        CheckLifetime(context, type, attribute, location, scoped);
        if (!index.Project.IsHost)
            return;

        var template = models[0].Instance.Full;
        if (attribute is null)
        {
            if (index.Project.Middleware.All(m => m.Instance.Full != template))
                Report("has no [Middleware] attribute and no [assembly: UseMiddleware] names it");
            return;
        }

        if (models.All(m => index.All.All(h => MiddlewareFit.Apply(m, h) is null)
                && index.Project.Foreign.All(f => !f.Message.IsPublic || MiddlewareFit.Apply(m, f) is null)))
            Report("matches no message of this project or of the projects it references: check its constraints");

        void Report(string why)
            => context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.UnreachableMiddleware, location, TypeNames.Display(type), why));
    }

    private static void CheckLifetime(
        SymbolAnalysisContext context, INamedTypeSymbol type, AttributeData? attribute, Location? location, Lazy<HashSet<string>> scoped)
    {
        var lifetime = TypeNames.Argument(attribute, "Lifetime", 0);
        if (lifetime != (int)Lifetime.Singleton)
            return;
        foreach (var argument in InstanceReader.Read(type, lifetime).Constructor)
        {
            if (scoped.Value.Contains(argument.Type))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    DiagnosticDescriptors.CaptiveDependency, location, TypeNames.Display(type), argument.Type.Replace("global::", "")));
            }
        }
    }
}
