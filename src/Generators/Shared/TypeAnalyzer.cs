using System.Collections.Generic;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Postrider.Generators;

/// <summary>Reports types that a generator cannot write code for, at the type that requests it.</summary>
public abstract class TypeAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.Analyze | GeneratedCodeAnalysisFlags.ReportDiagnostics);
        context.EnableConcurrentExecution();
        context.RegisterSymbolAction(Report, SymbolKind.NamedType);
    }

    /// <summary>Finds the diagnostics of a type; most types have none, because the generator does not read them.</summary>
    private protected abstract IReadOnlyList<DiagnosticInfo> Find(INamedTypeSymbol type, CancellationToken ct);

    private void Report(SymbolAnalysisContext context)
    {
        foreach (var found in Find((INamedTypeSymbol)context.Symbol, context.CancellationToken))
            context.ReportDiagnostic(found.ToDiagnostic());
    }
}
