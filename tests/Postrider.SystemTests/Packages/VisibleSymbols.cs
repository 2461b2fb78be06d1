using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.SystemTests.Packages;

/// <summary>The documentation ids of what users of a library can refer to, as the compiler sees them.</summary>
internal static class VisibleSymbols
{
    /// <summary>The ids of the public and protected members of public types, and of those types.</summary>
    /// <param name="name">The library's.</param>
    /// <param name="image">The library; read and not closed.</param>
    internal static HashSet<string> Ids(string name, Stream image)
    {
        var library = MetadataReference.CreateFromStream(image);
        var others = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(file => Path.GetFileNameWithoutExtension(file) != name).Select(static file => MetadataReference.CreateFromFile(file));
        var assembly = (IAssemblySymbol)CSharpCompilation.Create("User", references: others.Prepend<MetadataReference>(library)).GetAssemblyOrModuleSymbol(library)!;
        return Types(assembly.GlobalNamespace).SelectMany(static type => type.GetMembers().Where(static member => member is not INamedTypeSymbol && IsVisible(member)).Prepend(type))
            .Select(static symbol => symbol.GetDocumentationCommentId()!).ToHashSet(StringComparer.Ordinal);
    }

    private static IEnumerable<INamedTypeSymbol> Types(INamespaceOrTypeSymbol container)
        => container.GetMembers().OfType<INamespaceOrTypeSymbol>().Where(static inner => inner is INamespaceSymbol || IsVisible(inner))
            .SelectMany(static inner => inner is INamedTypeSymbol type ? Types(type).Prepend(type) : Types(inner));

    private static bool IsVisible(ISymbol symbol) => symbol.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal;
}
