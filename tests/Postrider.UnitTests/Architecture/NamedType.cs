using Microsoft.CodeAnalysis;

namespace Postrider.UnitTests.Architecture;

/// <summary>A name that means a type, or a member of it.</summary>
/// <param name="Name">The name.</param>
/// <param name="In">The outermost type around the name; null outside of types.</param>
/// <param name="Type">The type.</param>
internal readonly record struct NamedType(SyntaxNode Name, INamedTypeSymbol? In, INamedTypeSymbol Type);
