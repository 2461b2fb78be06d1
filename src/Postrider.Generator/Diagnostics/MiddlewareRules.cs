using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about middleware.</summary>
internal static class MiddlewareRules
{
    internal static void Check(SymbolAnalysisContext context, INamedTypeSymbol type, HandlerIndex index)
    {
        var attribute = Names.Attribute(type, Names.MiddlewareAttribute);
        var model = Middlewares.Read(type, attribute);
        if (model is null)
            return;

        var location = type.Locations.FirstOrDefault(l => l.IsInSource);
        var template = model.Instance.Full;
        if (attribute is null)
        {
            if (index.Project.IsHost && index.Project.Middleware.All(m => m.Instance.Full != template))
                Report("has no [Middleware] attribute and no [assembly: UseMiddleware] names it");
            return;
        }

        if (index.Project.IsHost && index.All.All(h => MiddlewareFit.Apply(model, h) is null))
            Report("fits no message of this project: look at its constraints");

        void Report(string why)
            => context.ReportDiagnostic(Diagnostic.Create(Rules.UnreachableMiddleware, location, Names.Display(type), why));
    }
}
