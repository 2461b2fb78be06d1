using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Postrider.Generator.Diagnostics;

/// <summary>Finds what has to change when MediatR's package gives way to Postrider.Compat.MediatR.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MigrationAnalyzer : DiagnosticAnalyzer
{
    private static readonly DiagnosticDescriptor s_using = new(
        "PRM001", "MediatR's namespace", "'{0}' becomes Postrider.Compat.MediatR", "Postrider", DiagnosticSeverity.Warning,
        isEnabledByDefault: true, helpLinkUri: "https://github.com/postrider/postrider/blob/main/docs/diagnostics/PRM001.md");

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [s_using];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Postrider.Compat.MediatR.IMediator") is null)
                return;

            start.RegisterSyntaxNodeAction(
                static c =>
                {
                    var name = ((UsingDirectiveSyntax)c.Node).Name?.ToString();
                    if (name is "MediatR" or "MediatR.Pipeline" or "MediatR.NotificationPublishers")
                        c.ReportDiagnostic(Diagnostic.Create(s_using, c.Node.GetLocation(), name));
                },
                SyntaxKind.UsingDirective);
        });
    }
}
