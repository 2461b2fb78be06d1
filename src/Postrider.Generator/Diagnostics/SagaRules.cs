using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about sagas.</summary>
internal static class SagaRules
{
    internal static void Check(SymbolAnalysisContext context, INamedTypeSymbol type, HandlerIndex index)
    {
        if (!SagaReader.IsSaga(type))
        {
            CheckLost(context, type);
            return;
        }

        var location = type.Locations.FirstOrDefault(l => l.IsInSource);
        if (SagaReader.WhyNotWired(type) is { } unwired)
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.SagaNotWired, location, TypeNames.Display(type), unwired));

        var seen = new Dictionary<string, string>();
        foreach (var method in SagaReader.Methods(type))
        {
            var place = method.Locations.FirstOrDefault(l => l.IsInSource);
            var name = TypeNames.Display(type) + "." + method.Name;
            if (SagaReader.WhyNotWired(method) is { } why)
            {
                context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.SagaNotWired, place, name, why));
                continue;
            }

            var message = method.Parameters[0].Type;
            if (seen.TryGetValue(TypeNames.Full(message), out var first))
                context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.SagaHandlesTwice, place, TypeNames.Display(type), TypeNames.Display(message), first, method.Name));
            else
                seen.Add(TypeNames.Full(message), method.Name);
            if (SagaCorrelation.WhyNot(method, out var isOpen) is { } missing && !(isOpen && index.IsCorrelated(message)))
                context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.NoSagaId, place, name, TypeNames.Display(message), missing));
        }

        if (SagaReader.Of(type, context.CancellationToken) is not { } saga)
            return;
        foreach (var method in saga.Methods)
            HandlerRules.CheckDuplicate(context, type, method.Handler, index);
    }

    // A method that starts a saga in a class that is not a saga would never be called.
    private static void CheckLost(SymbolAnalysisContext context, INamedTypeSymbol type)
    {
        foreach (var method in SagaReader.Methods(type).Where(m => SagaReader.Role(m) != "Handles"))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.SagaNotWired, method.Locations.FirstOrDefault(l => l.IsInSource), TypeNames.Display(type) + "." + method.Name, "its class is not marked [Saga]"));
        }
    }
}
