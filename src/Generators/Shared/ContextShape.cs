using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.Generators;

/// <summary>Checks the declaration of a context, the partial class into which formatters are written.</summary>
internal static class ContextShape
{
    /// <summary>Finds the reason why a context cannot be completed, or null.</summary>
    /// <param name="type">The context.</param>
    /// <param name="baseName">The full name of the class that it has to derive from.</param>
    /// <param name="ct">Cancels the search.</param>
    internal static string? FindFault(INamedTypeSymbol type, string baseName, CancellationToken ct)
    {
        var declaration = type.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(ct) as TypeDeclarationSyntax;
        return type.BaseType?.ToDisplayString() != baseName ? $"it does not derive from {baseName.Substring(baseName.LastIndexOf('.') + 1)}"
            : declaration?.Modifiers.Any(SyntaxKind.PartialKeyword) != true ? "it is not partial"
            : type.ContainingType is not null ? "it is nested in another type"
            : type.TypeParameters.Length > 0 ? "it is generic"
            : type.IsAbstract ? "it is abstract"
            : null;
    }
}
