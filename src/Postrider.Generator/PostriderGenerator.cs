using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Generator.Diagnostics;
using Postrider.Generator.Emitting;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;
using Postrider.Generators;

namespace Postrider.Generator;

/// <summary>Finds messages, handlers and middleware and writes the module and the dispatcher.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class PostriderGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var types = context.SyntaxProvider
            .CreateSyntaxProvider(
                static (node, _) => node is TypeDeclarationSyntax { BaseList: not null } and not InterfaceDeclarationSyntax,
                static (c, ct) => ReadType(c, ct))
            .WhereNotNull()
            .WithTrackingName("Types");
        var methods = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                KnownNames.HandlerAttribute,
                static (node, _) => node is MethodDeclarationSyntax,
                static (c, ct) => Handlers.OfMethod((IMethodSymbol)c.TargetSymbol, c.Attributes[0], ct))
            .WhereNotNull()
            .WithTrackingName("Methods");
        var middleware = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                KnownNames.MiddlewareAttribute,
                static (node, _) => node is TypeDeclarationSyntax,
                static (c, _) => new EquatableArray<MiddlewareModel>(
                    Middlewares.Read((INamedTypeSymbol)c.TargetSymbol, c.Attributes[0]).Where(m => !m.IsCompat)))
            .Where(static found => found.Count > 0)
            .WithTrackingName("Middleware");
        var sagas = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                KnownNames.SagaAttribute,
                static (node, _) => node is ClassDeclarationSyntax or RecordDeclarationSyntax,
                static (c, ct) => SagaReader.Of((INamedTypeSymbol)c.TargetSymbol, ct))
            .WhereNotNull()
            .WithTrackingName("Sagas");
        context.RegisterSourceOutput(sagas.Collect(), static (output, all) => SagaEmitter.Emit(output, all));
        var project = context.CompilationProvider.Select(static (c, ct) => Projects.Read(c, ct)).WithTrackingName("Project");

        var messages = types.SelectMany(static (found, _) => found.Messages).Collect();
        context.RegisterSourceOutput(messages, static (output, all) => MessageEmitter.Emit(output, all));

        var everything = types.SelectMany(static (found, _) => found.Handlers).Collect()
            .Combine(methods.Collect().Combine(sagas.Collect()))
            .Combine(middleware.SelectMany(static (found, _) => found).Collect())
            .Combine(types.SelectMany(static (found, _) => found.Middleware).Collect())
            .Combine(types.Where(static found => found.OpenHandler is not null || found.Notification is not null).Collect())
            .Combine(project)
            .Select(static (all, _) =>
            {
                var ((((handlers, middleware), compat), open), project) = all;
                return Model.ModuleModel.Compose(
                    handlers.Left.Concat(handlers.Right.Left).Concat(handlers.Right.Right.SelectMany(saga => saga.Methods.Select(method => method.Handler))).Concat(project.Handlers), middleware.Concat(compat), project,
                    open.Select(found => found.OpenHandler).OfType<OpenHandlerModel>(),
                    open.Select(found => found.Notification).OfType<NotificationModel>());
            })
            .WithTrackingName("Module");
        context.RegisterSourceOutput(everything, static (output, module) => ModuleEmitter.Emit(output, module));

        var unchanged = context.SyntaxProvider
            .CreateSyntaxProvider(static (node, _) => MigrationAnalyzer.IsUsing(node), static (c, ct) => IsUnknown(c, ct))
            .Where(static isUnknown => isUnknown)
            .Collect()
            .Select(static (all, _) => all.Length)
            .WithTrackingName("Unchanged");
        context.RegisterSourceOutput(unchanged, static (output, count) =>
        {
            if (count > 0)
                output.ReportDiagnostic(Diagnostic.Create(MigrationAnalyzer.Unchanged, location: null, count));
        });

        var calls = context.SyntaxProvider
            .CreateSyntaxProvider(static (node, _) => CallSites.Looks(node), static (c, ct) => CallSites.Read(c, ct))
            .WhereNotNull()
            .WithTrackingName("Calls");
        var targets = everything.Select(static (module, _) => InterceptorTargets.Of(module)).WithTrackingName("Targets");
        context.RegisterSourceOutput(
            calls.Collect().Combine(targets),
            static (output, both) => InterceptorEmitter.Emit(output, both.Left, both.Right));
    }

    private static bool IsUnknown(GeneratorSyntaxContext context, CancellationToken ct)
        => context.Node is UsingDirectiveSyntax { Name: { } name } && context.SemanticModel.GetSymbolInfo(name, ct).Symbol is null
            && context.SemanticModel.Compilation.GetTypeByMetadataName("Postrider.Compat.MediatR.IMediator") is not null;

    private static FoundType? ReadType(GeneratorSyntaxContext context, CancellationToken ct)
    {
        var declaration = (TypeDeclarationSyntax)context.Node;
        if (context.SemanticModel.GetDeclaredSymbol(declaration, ct) is not INamedTypeSymbol type
            || type.AllInterfaces.All(i => !TypeNames.Definition(i).StartsWith("Postrider.", System.StringComparison.Ordinal)))
            return null;

        // A partial class is declared several times: only the first declaration with a base list is used.
        var first = type.DeclaringSyntaxReferences
            .FirstOrDefault(r => r.GetSyntax(ct) is TypeDeclarationSyntax { BaseList: not null })?.GetSyntax(ct);
        if (first != declaration)
            return null;

        var found = new FoundType(
            new(Messages.Partial(type, declaration)), new(Handlers.OfClass(type)), new(Middlewares.OfCompat(type)),
            OpenHandlers.Of(type), OpenHandlers.Notification(type));
        return found.Messages.Count + found.Handlers.Count + found.Middleware.Count == 0 && found.OpenHandler is null && found.Notification is null
            ? null
            : found;
    }

    private sealed record FoundType(
        EquatableArray<PartialMessageModel> Messages, EquatableArray<HandlerModel> Handlers, EquatableArray<MiddlewareModel> Middleware,
        OpenHandlerModel? OpenHandler, NotificationModel? Notification);
}
