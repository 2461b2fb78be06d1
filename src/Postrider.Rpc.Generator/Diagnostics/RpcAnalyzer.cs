using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Rpc.Generator.Parsing;

namespace Postrider.Rpc.Generator.Diagnostics;

/// <summary>Says what of a contract cannot be served, where it is written.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RpcAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [.. Rules.All];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.Analyze | GeneratedCodeAnalysisFlags.ReportDiagnostics);
        context.EnableConcurrentExecution();
        context.RegisterSymbolAction(static c => Check(c), SymbolKind.NamedType);
    }

    private static void Check(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        var problems = new List<Problem>();
        if (type.TypeKind == TypeKind.Class)
            WcfLimits.CheckService(type, problems);
        else if (type.TypeKind == TypeKind.Interface && ((Names.Attribute(type, Names.Service) ?? Names.Attribute(type, WcfNames.Service)) is not null || ServiceReader.IsMarked(type)))
            ServiceReader.Read(type, problems, context.CancellationToken);
        foreach (var problem in problems)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                Rules.Of(problem.Rule), problem.At.Locations.FirstOrDefault(l => l.IsInSource), problem.Arguments.ToArray<object>()));
        }
    }
}
