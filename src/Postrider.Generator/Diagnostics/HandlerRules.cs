using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about handlers.</summary>
internal static class HandlerRules
{
    internal static void CheckClass(
        SymbolAnalysisContext context, INamedTypeSymbol type, HandlerIndex index, Lazy<HashSet<string>> scoped)
    {
        var isHandler = type.AllInterfaces.Any(KnownNames.IsHandlerContract);
        var hasMethods = type.GetMembers().Any(m => TypeNames.Attribute(m, KnownNames.HandlerAttribute) is not null);
        if (!isHandler && !hasMethods)
            return;

        var location = type.Locations.FirstOrDefault(l => l.IsInSource);
        if (isHandler && WhyNotWired(type) is { } unwired)
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.UnreachableHandler, location, TypeNames.Display(type), unwired));

        foreach (var model in isHandler ? Handlers.OfClass(type) : [])
            CheckDuplicate(context, type, model, index);

        var lifetime = TypeNames.Argument(TypeNames.Attribute(type, KnownNames.HandlerAttribute), "Lifetime", 0);
        if (lifetime != (int)Lifetime.Singleton)
            return;
        foreach (var argument in InstanceReader.Read(type, lifetime).Constructor)
        {
            if (scoped.Value.Contains(argument.Type))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    DiagnosticDescriptors.CaptiveDependency, location, TypeNames.Display(type), argument.Type.Replace("global::", "")));
            }
        }
    }

    // An open generic handler of requests is a template until [assembly: UseHandler] closes it; one of notifications is closed by the generator.
    private static string? WhyNotWired(INamedTypeSymbol type)
        => type.TypeParameters.Length > 0 ? OpenHandlers.WhyNotClosed(type)
        : Handlers.WhyNotWired(type) ?? (type.AllInterfaces.Any(i => KnownNames.IsHandlerContract(i) && i.TypeArguments.Any(a => !TypeNames.IsNameable(a)))
            ? "generated code cannot name its message or response: it is private, local to a file or obsolete as an error" : null);

    internal static void CheckMethod(SymbolAnalysisContext context, IMethodSymbol method, HandlerIndex index)
    {
        // SagaRules checks those of sagas.
        if (SagaReader.IsSaga(method.ContainingType))
            return;

        var location = method.Locations.FirstOrDefault(l => l.IsInSource);
        var model = Handlers.OfMethod(method, TypeNames.Attribute(method, KnownNames.HandlerAttribute), context.CancellationToken);
        if (model is null)
        {
            context.ReportDiagnostic(Diagnostic.Create(DiagnosticDescriptors.UnreachableHandler, location, method.Name, Handlers.WhyNotWired(method)));
            return;
        }

        CheckDuplicate(context, method, model, index);
        var asked = method.Parameters[0].Type.AllInterfaces
            .FirstOrDefault(i => TypeNames.Definition(i) is KnownNames.Request or KnownNames.StreamRequest)?.TypeArguments[0];
        if (asked is not null && model.Kind != MessageKind.Notification && TypeNames.Full(asked) != model.Response)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.WrongResponse, location, TypeNames.Display(method.Parameters[0].Type), TypeNames.Display(asked), method.Name,
                model.Response.Replace("global::", "")));
        }
    }

    /// <summary>A local function, or a lambda, that is marked: only its method can call it.</summary>
    internal static void CheckInside(SyntaxNodeAnalysisContext context)
    {
        var marked = context.Node is LocalFunctionStatementSyntax local ? local.AttributeLists : ((LambdaExpressionSyntax)context.Node).AttributeLists;
        if (marked.Count == 0)
            return;

        var symbol = context.SemanticModel.GetDeclaredSymbol(context.Node, context.CancellationToken)
            ?? context.SemanticModel.GetSymbolInfo(context.Node, context.CancellationToken).Symbol;
        if (symbol is IMethodSymbol method && TypeNames.Attribute(method, KnownNames.HandlerAttribute) is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.UnreachableHandler, marked[0].GetLocation(), method.Name.Length > 0 ? method.Name : "A lambda", Handlers.WhyNotWired(method)));
        }
    }

    internal static void CheckDuplicate(SymbolAnalysisContext context, ISymbol symbol, HandlerModel model, HandlerIndex index)
    {
        if (model.Kind == MessageKind.Notification)
            return;

        var others = index.Of(model.Message.Full).Where(h => !SymbolEqualityComparer.Default.Equals(h.Symbol, symbol)).ToList();
        var other = others.Count > 0 ? others[0].Model.Owner.Display
            : index.HandledElsewhere.Contains(model.Message.Full) ? "a referenced project" : null;
        if (other is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                DiagnosticDescriptors.DuplicateHandler, symbol.Locations.FirstOrDefault(l => l.IsInSource), model.Message.Display, other));
        }
    }
}
