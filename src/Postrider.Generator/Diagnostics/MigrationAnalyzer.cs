using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Postrider.Generator.Diagnostics;

/// <summary>Finds code that has to change when MediatR's package is replaced by Postrider.Compat.MediatR.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MigrationAnalyzer : DiagnosticAnalyzer
{
    private static readonly DiagnosticDescriptor s_using = new(
        "PRM001", "MediatR's namespace", "'{0}' becomes Postrider.Compat.MediatR", "Postrider", DiagnosticSeverity.Warning,
        isEnabledByDefault: true, helpLinkUri: "https://github.com/postrider/postrider/blob/main/docs/diagnostics/PRM001.md");

    private static readonly DiagnosticDescriptor s_lifetime = new(
        "PRM002", "Lifetime of MediatR's handlers",
        "Lifetime has no effect on handlers here: it is inferred from the fields and dependencies of the handler, or set with [Handler(Lifetime = ...)]",
        "Postrider", DiagnosticSeverity.Warning,
        isEnabledByDefault: true, helpLinkUri: "https://github.com/postrider/postrider/blob/main/docs/diagnostics/PRM002.md");

    /// <summary>Reported by the generator, because the compiler runs no analyzers on code that does not compile.</summary>
    internal static readonly DiagnosticDescriptor Unchanged = new(
        "PRM003", "MediatR's namespace is still used",
        "{0} using directives of this project name MediatR, which it no longer references. Change them to Postrider.Compat.MediatR: "
        + "run 'dotnet format analyzers PROJECT --no-restore --diagnostics PRM001 --severity warn', and change <Using Include=\"MediatR\" /> by hand.",
        "Postrider", DiagnosticSeverity.Warning,
        isEnabledByDefault: true, helpLinkUri: "https://github.com/postrider/postrider/blob/main/docs/diagnostics/PRM003.md");

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [s_using, s_lifetime, Unchanged];

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
            start.RegisterOperationAction(static c => CheckLifetime(c), OperationKind.SimpleAssignment);
        });
    }

    /// <summary>Whether a node is a using directive for MediatR or a namespace below it.</summary>
    internal static bool IsUsing(SyntaxNode node)
        => node is UsingDirectiveSyntax { Alias: null, Name: { } name } && First(name) is { Identifier.Text: "MediatR" };

    private static SimpleNameSyntax? First(NameSyntax name)
    {
        while (name is QualifiedNameSyntax qualified)
            name = qualified.Left;
        return name is AliasQualifiedNameSyntax alias ? alias.Name : name as SimpleNameSyntax;
    }

    private static void CheckLifetime(OperationAnalysisContext context)
    {
        var assignment = (ISimpleAssignmentOperation)context.Operation;
        if (assignment.Target is IPropertyReferenceOperation { Property: { Name: "Lifetime", ContainingType: { Name: "MediatRServiceConfiguration" } owner } }
            && owner.ToDisplayString() == "Postrider.Compat.MediatR.MediatRServiceConfiguration")
            context.ReportDiagnostic(Diagnostic.Create(s_lifetime, assignment.Syntax.GetLocation()));
    }

    private static void Check(SyntaxNodeAnalysisContext context)
    {
        if (context.Node is not IdentifierNameSyntax { Identifier.Text: "MediatR" } name || Namespace(name) is not { } found
            || context.SemanticModel.GetSymbolInfo(name, context.CancellationToken).Symbol is { } symbol && symbol.ToDisplayString() != "MediatR")
            return;

        context.ReportDiagnostic(Diagnostic.Create(s_using, found.GetLocation(), found.ToString()));
    }

    // The namespace's name, including namespaces below MediatR; null if it is not used as a namespace.
    private static SyntaxNode? Namespace(IdentifierNameSyntax name)
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
