using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Reports at compile time what would fail, or behave unexpectedly, at run time.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PostriderAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
    [
        DiagnosticDescriptors.NoHandler, DiagnosticDescriptors.HandlerElsewhere, DiagnosticDescriptors.DuplicateHandler, DiagnosticDescriptors.WrongResponse, DiagnosticDescriptors.UnreachableMiddleware,
        DiagnosticDescriptors.CaptiveDependency, DiagnosticDescriptors.Recursion, DiagnosticDescriptors.UnreachableHandler, DiagnosticDescriptors.NotPartial, DiagnosticDescriptors.TwoResponses,
        DiagnosticDescriptors.UnknownOption, DiagnosticDescriptors.TwoKinds, DiagnosticDescriptors.UselessUse,
        DiagnosticDescriptors.SagaNotWired, DiagnosticDescriptors.NoSagaId, DiagnosticDescriptors.SagaHandlesTwice,
    ];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Postrider.IDispatcher") is null)
                return;

            var index = new Lazy<HandlerIndex>(
                () => HandlerIndex.Make(start.Compilation, start.CancellationToken), LazyThreadSafetyMode.ExecutionAndPublication);
            var scoped = new Lazy<HashSet<string>>(
                () => RegisteredTypes.Scoped(start.Compilation, start.CancellationToken), LazyThreadSafetyMode.ExecutionAndPublication);
            start.RegisterSymbolAction(c => Type(c, index.Value, scoped), SymbolKind.NamedType);
            start.RegisterSymbolAction(c => Method(c, index.Value), SymbolKind.Method);
            var graph = new SendGraph();
            start.RegisterSyntaxNodeAction(c => Call(c, index.Value, graph), SyntaxKind.InvocationExpression);
            start.RegisterSyntaxNodeAction(
                HandlerRules.CheckInside, SyntaxKind.LocalFunctionStatement, SyntaxKind.ParenthesizedLambdaExpression, SyntaxKind.SimpleLambdaExpression);
            start.RegisterCompilationEndAction(c =>
            {
                foreach (var found in graph.Cycles().Concat(OptionRules.Check(c.Compilation.Assembly, c.CancellationToken))
                    .Concat(UseRules.Check(c.Compilation.Assembly, c.CancellationToken))
                    .Concat(ReferenceRules.Check(index.Value)))
                    c.ReportDiagnostic(found);
            });
        });
    }

    private static void Type(SymbolAnalysisContext context, HandlerIndex index, Lazy<HashSet<string>> scoped)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        Options(context);
        if (type.TypeKind == TypeKind.Class)
            SagaRules.Check(context, type, index);
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct) || type.IsAbstract)
            return;

        MessageRules.Check(context, type, index);
        HandlerRules.CheckClass(context, type, index, scoped);
        MiddlewareRules.Check(context, type, index, scoped);
    }

    private static void Method(SymbolAnalysisContext context, HandlerIndex index)
    {
        var method = (IMethodSymbol)context.Symbol;
        Options(context);
        if (TypeNames.Attribute(method, KnownNames.HandlerAttribute) is not null)
            HandlerRules.CheckMethod(context, method, index);
    }

    private static void Options(SymbolAnalysisContext context)
    {
        foreach (var found in OptionRules.Check(context.Symbol, context.CancellationToken))
            context.ReportDiagnostic(found);
    }

    private static void Call(SyntaxNodeAnalysisContext context, HandlerIndex index, SendGraph graph)
    {
        var call = (InvocationExpressionSyntax)context.Node;
        if (!CallSites.Sends(call)
            || context.SemanticModel.GetSymbolInfo(call, context.CancellationToken).Symbol is not IMethodSymbol method
            || !Handlers.Implements(method.ContainingType, method.Name is "Send" or "CreateStream" ? KnownNames.CompatSender : "Postrider.IDispatcher"))
            return;

        var argument = call.ArgumentList.Arguments[0].Expression;
        if (context.SemanticModel.GetTypeInfo(argument, context.CancellationToken).Type is not INamedTypeSymbol { TypeKind: TypeKind.Class } message
            || message.IsAbstract || message.SpecialType == SpecialType.System_Object)
            return;

        var location = argument.GetLocation();
        if (method.Name is "SendAsync" or "StreamAsync" or "Send" or "CreateStream")
            CheckHandled(context, message, location, index);

        if (context.ContainingSymbol?.ContainingType is not { } sender)
            return;
        foreach (var handled in SendGraph.HandledBy(context.ContainingSymbol, index))
        {
            var sent = TypeNames.Full(message);
            graph.Add(handled, sent, location, TypeNames.Display(sender), TypeNames.Display(message));
            if (handled == sent)
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    DiagnosticDescriptors.Recursion, location, TypeNames.Display(sender), TypeNames.Display(message), TypeNames.Display(sender)));
            }
        }
    }

    private static void CheckHandled(
        SyntaxNodeAnalysisContext context, INamedTypeSymbol message, Location location, HandlerIndex index)
    {
        if (!index.Project.IsHost || index.IsHandled(message))
            return;

        // A message of this project is reported at its declaration; a generic one is only known where it is closed.
        if (!SymbolEqualityComparer.Default.Equals(message.ContainingAssembly, context.Compilation.Assembly))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.HandlerElsewhere, location, TypeNames.Display(message), message.ContainingAssembly.Name, index.Places));
        }
        else if (message.IsGenericType && !message.TypeArguments.Any(a => a is ITypeParameterSymbol))
        {
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.NoHandler, location, TypeNames.Display(message), index.Places, index.Advice(message)));
        }
    }
}
