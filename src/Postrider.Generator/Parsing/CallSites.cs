using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads calls through <c>IDispatcher</c> that can be intercepted.</summary>
internal static class CallSites
{
    /// <summary>The namespace of generated code.</summary>
    internal const string Namespace = "Postrider.Generated";

    // One model per file, as the driver provides one per file.
    private static readonly ConditionalWeakTable<SemanticModel, SemanticModel> s_plain = new();

    internal static bool Allowed(ParseOptions options)
        => options.Features.TryGetValue("InterceptorsNamespaces", out var allowed)
        && allowed.Split(';').Any(n => n == Namespace || n == "Postrider");

    internal static bool Looks(SyntaxNode node)
        => node is InvocationExpressionSyntax
        {
            ArgumentList.Arguments.Count: 1 or 2,
            Expression: MemberAccessExpressionSyntax { Name.Identifier.Text: "SendAsync" or "PublishAsync" or "StreamAsync" },
        };

    /// <summary>Calls that send a message in any way, those included that cannot be intercepted.</summary>
    internal static bool Sends(SyntaxNode node)
        => Looks(node) || node is InvocationExpressionSyntax
        {
            ArgumentList.Arguments.Count: 1 or 2,
            Expression: MemberAccessExpressionSyntax { Name.Identifier.Text: "PostAsync" or "Send" or "CreateStream" },
        };

    internal static CallSiteModel? Read(GeneratorSyntaxContext context, CancellationToken ct)
    {
        var call = (InvocationExpressionSyntax)context.Node;
        var first = call.ArgumentList.Arguments[0];
        if (!Allowed(call.SyntaxTree.Options) || first.NameColon is not null)
            return null;

        var semantics = s_plain.GetValue(context.SemanticModel, static model => WithoutNullableAnalysis(model));
        if (semantics.GetSymbolInfo(call, ct).Symbol is not IMethodSymbol method
            || TypeNames.Definition(method.ContainingType) != "Postrider.IDispatcher"
            || method.Parameters.Length != 2 // not those that send later
            || semantics.GetTypeInfo(first.Expression, ct).Type is not INamedTypeSymbol { TypeKind: TypeKind.Class } type
            || type.IsAbstract || type.TypeParameters.Length > 0 || type.TypeArguments.Any(a => a is ITypeParameterSymbol)
            || !TypeNames.IsNameable(type) || IsQuoted(call, semantics, ct))
            return null;

        var parameter = TypeNames.Definition(method.Parameters[0].Type);
        var (kind, response) = parameter switch
        {
            KnownNames.Request => (MessageKind.Request, TypeNames.Full(method.TypeArguments[0])),
            KnownNames.Command => (MessageKind.Command, EntryModel.UnitType),
            KnownNames.Notification => (MessageKind.Notification, ""),
            KnownNames.StreamRequest => (MessageKind.Stream, TypeNames.Full(method.TypeArguments[0])),
            _ => (default(MessageKind), (string?)null),
        };
        if (response is null || semantics.GetInterceptableLocation(call, ct) is not { } location)
            return null;

        return new(kind, TypeNames.Full(type), type.IsSealed, response, $"{location.Version}, \"{location.Data}\"");
    }

    // An expression tree is interpreted by a library (a mock's setup, a query), which has to see the call as it was written.
    private static bool IsQuoted(SyntaxNode call, SemanticModel semantics, CancellationToken ct)
    {
        for (var node = call.Parent; node is not null; node = node.Parent)
        {
            if (node is AnonymousFunctionExpressionSyntax
                && semantics.GetTypeInfo(node, ct).ConvertedType is INamedTypeSymbol { Name: "Expression" } type
                && type.ContainingNamespace.ToDisplayString() == "System.Linq.Expressions")
                return true;
            if (node is MemberDeclarationSyntax and not GlobalStatementSyntax)
                return false;
        }

        return false;
    }

    // The chosen overload does not depend on nullability, and analyzing that for the whole method that
    // holds the call takes as long as binding it (a third of a run over a thousand calls).
#pragma warning disable RSEXPERIMENTAL001 // the option may change; without it the same code is only slower
    private static SemanticModel WithoutNullableAnalysis(SemanticModel model)
        => model.Compilation.GetSemanticModel(model.SyntaxTree, SemanticModelOptions.DisableNullableAnalysis);
#pragma warning restore RSEXPERIMENTAL001
}
