using System;
using System.Collections.Immutable;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generators;

/// <summary>Steps that generators have in common.</summary>
internal static class ProviderExtensions
{
    /// <summary>Leaves out the items that are null.</summary>
    internal static IncrementalValuesProvider<T> WhereNotNull<T>(this IncrementalValuesProvider<T?> source)
        where T : class
        => source.SelectMany(static (item, _) => item is null ? ImmutableArray<T>.Empty : ImmutableArray.Create(item));

    /// <summary>Finds the classes with an attribute and reads a model of each; the step is called <c>Contexts</c>.</summary>
    /// <param name="context">The generator's context.</param>
    /// <param name="attribute">The full name of the attribute.</param>
    /// <param name="read">Reads a model, or returns null.</param>
    internal static IncrementalValuesProvider<TModel> ForContexts<TModel>(
        this IncrementalGeneratorInitializationContext context, string attribute, Func<INamedTypeSymbol, CancellationToken, TModel?> read)
        where TModel : class
        => context.SyntaxProvider
            .ForAttributeWithMetadataName(
                attribute,
                static (node, _) => node is ClassDeclarationSyntax,
                (c, ct) => read((INamedTypeSymbol)c.TargetSymbol, ct))
            .WhereNotNull()
            .WithTrackingName("Contexts");
}
