using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about messages.</summary>
internal static class MessageRules
{
    internal static void Check(SymbolAnalysisContext context, INamedTypeSymbol type, HandlerIndex index)
    {
        // An interface may occur twice, if source without nullable annotations meets generated code with them.
        var requests = type.AllInterfaces.Where(i => TypeNames.Definition(i) is KnownNames.Request or KnownNames.StreamRequest)
            .Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default).ToList();
        var isNotification = Handlers.Implements(type, KnownNames.Notification);
        if (requests.Count == 0 && !isNotification)
            return;

        var location = type.Locations.FirstOrDefault(l => l.IsInSource);
        var answers = requests.Where(i => TypeNames.Definition(i) == KnownNames.Request).ToList();
        if (answers.Count > 1)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.TwoResponses, location, TypeNames.Display(type),
                TypeNames.Display(answers[0].TypeArguments[0]), TypeNames.Display(answers[1].TypeArguments[0])));
        }

        var kinds = new[]
        {
            answers.Count > 0 ? "a request" : null,
            requests.Count > answers.Count ? "a stream request" : null,
            isNotification ? "a notification" : null,
        }.Where(kind => kind is not null).ToList();
        if (kinds.Count > 1)
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.TwoKinds, location, TypeNames.Display(type), kinds[0], kinds[1]));

        // A library may contain messages whose handlers are in a project that references it.
        if (requests.Count > 0 && index.Project.IsHost && type.TypeParameters.Length == 0 && !index.IsHandled(type))
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.NoHandler, location, TypeNames.Display(type), index.Places, index.Advice(type)));

        var declaration = type.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(context.CancellationToken) as TypeDeclarationSyntax;
        if (declaration is not null && type.TypeParameters.Length == 0 && type.ContainingType is null
            && !declaration.Modifiers.Any(SyntaxKind.PartialKeyword))
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.NotPartial, location, TypeNames.Display(type)));
    }
}
