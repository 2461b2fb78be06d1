using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Xml.Generator.Parsing;

namespace Postrider.Xml.Generator.Diagnostics;

/// <summary>Says what the generator cannot write, where it is written.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class XmlAnalyzer : DiagnosticAnalyzer
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
        if (Names.Attribute(type, Names.Serializable) is null)
            return;

        var problems = new List<Problem>();
        ContextReader.Read(type, problems, context.CancellationToken);
        foreach (var problem in problems)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                Rules.Of(problem.Rule), problem.At.Locations.FirstOrDefault(l => l.IsInSource), problem.Arguments.ToArray<object>()));
        }
    }
}
