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

            start.RegisterSyntaxNodeAction(static c => Check(c), SyntaxKind.IdentifierName);
        });
    }

    private static void Check(SyntaxNodeAnalysisContext context)
    {
        if (context.Node is not IdentifierNameSyntax { Identifier.Text: "MediatR" } name || Namespace(name) is not { } found
            || context.SemanticModel.GetSymbolInfo(name, context.CancellationToken).Symbol is { } symbol && symbol.ToDisplayString() != "MediatR")
            return;

        context.ReportDiagnostic(Diagnostic.Create(s_using, found.GetLocation(), found.ToString()));
    }

    // The name of the namespace, with what MediatR has below it; null where it is not used as one.
    private static SyntaxNode Namespace(IdentifierNameSyntax name)
    {
        SyntaxNode found = name.Parent is AliasQualifiedNameSyntax alias ? alias : name;
        if (found.Parent is QualifiedNameSyntax { Right.Identifier.Text: "Pipeline" or "NotificationPublishers" } part && part.Left == found)
            found = part;
        else if (found.Parent is MemberAccessExpressionSyntax { Name.Identifier.Text: "Pipeline" or "NotificationPublishers" } access && access.Expression == found)
            found = access;

        var whole = found;
        while (whole.Parent is QualifiedNameSyntax { } outer && outer.Left == whole)
            whole = outer;
        return whole.Parent switch
        {
            BaseNamespaceDeclarationSyntax => null,
            UsingDirectiveSyntax => found,
            MemberAccessExpressionSyntax member when member.Expression == whole => found,
            _ => whole == found ? null : found,
        };
    }
}
