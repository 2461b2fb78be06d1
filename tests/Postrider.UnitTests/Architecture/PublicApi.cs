using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>The public surface of an assembly as text: a line per type and, indented, per member, by name.</summary>
/// <remarks>Read from the compiled assembly, so that what source generators add is there.</remarks>
internal static class PublicApi
{
    private const SymbolDisplayParameterOptions Parameters =
        SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeName | SymbolDisplayParameterOptions.IncludeDefaultValue
        | SymbolDisplayParameterOptions.IncludeParamsRefOut | SymbolDisplayParameterOptions.IncludeExtensionThis;

    private const SymbolDisplayMiscellaneousOptions Miscellaneous =
        SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier
        | SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers;

    private static readonly SymbolDisplayFormat TypeFormat = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeTypeConstraints | SymbolDisplayGenericsOptions.IncludeVariance,
        kindOptions: SymbolDisplayKindOptions.IncludeTypeKeyword,
        delegateStyle: SymbolDisplayDelegateStyle.NameAndSignature,
        parameterOptions: Parameters,
        miscellaneousOptions: Miscellaneous);

    private static readonly SymbolDisplayFormat MemberFormat = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeTypeConstraints,
        SymbolDisplayMemberOptions.IncludeParameters | SymbolDisplayMemberOptions.IncludeType | SymbolDisplayMemberOptions.IncludeModifiers
            | SymbolDisplayMemberOptions.IncludeRef | SymbolDisplayMemberOptions.IncludeConstantValue | SymbolDisplayMemberOptions.IncludeExplicitInterface,
        parameterOptions: Parameters,
        propertyStyle: SymbolDisplayPropertyStyle.ShowReadWriteDescriptor,
        kindOptions: SymbolDisplayKindOptions.IncludeMemberKeyword,
        miscellaneousOptions: Miscellaneous);

    // What the compiler writes into every record.
    private static readonly HashSet<string> OfEveryRecord =
        ["<Clone>$", "Equals", "GetHashCode", "ToString", "PrintMembers", "EqualityContract", "op_Equality", "op_Inequality"];

    /// <summary>The surface of the assembly at <paramref name="path"/>.</summary>
    /// <param name="path">The compiled assembly.</param>
    /// <param name="references">What it was compiled against.</param>
    public static string Describe(string path, IEnumerable<MetadataReference> references)
    {
        var assembly = MetadataReference.CreateFromFile(path);
        var compilation = CSharpCompilation.Create("Reader", references: references.Append(assembly));
        var symbol = (IAssemblySymbol)compilation.GetAssemblyOrModuleSymbol(assembly)!;
        return Describe(symbol);
    }

    /// <summary>The surface of an assembly that the compiler has read.</summary>
    public static string Describe(IAssemblySymbol assembly)
    {
        var text = new StringBuilder();
        foreach (var type in Types(assembly.GlobalNamespace).OrderBy(type => type.ToDisplayString(), StringComparer.Ordinal))
        {
            text.Append(Heading(type)).Append('\n');
            var members = type.GetMembers().Where(IsSurface);
            var lines = type.TypeKind == TypeKind.Enum
                ? members.Cast<IFieldSymbol>().OrderBy(field => Convert.ToDecimal(field.ConstantValue)).Select(Line)
                : members.Select(member => (member.Name, Line: Line(member))).OrderBy(member => member.Name, StringComparer.Ordinal).ThenBy(member => member.Line, StringComparer.Ordinal).Select(member => member.Line);
            foreach (var line in lines)
                text.Append("    ").Append(line).Append('\n');
        }

        return text.ToString();
    }

    private static IEnumerable<INamedTypeSymbol> Types(INamespaceOrTypeSymbol parent)
    {
        foreach (var member in parent.GetMembers())
        {
            if (member is INamedTypeSymbol type && IsVisible(type))
            {
                yield return type;
                foreach (var inner in Types(type))
                    yield return inner;
            }
            else if (member is INamespaceSymbol name)
            {
                foreach (var inner in Types(name))
                    yield return inner;
            }
        }
    }

    private static string Heading(INamedTypeSymbol type)
    {
        var words = new List<string> { SyntaxFacts.GetText(type.DeclaredAccessibility) };
        if (type.TypeKind == TypeKind.Class && type.IsStatic)
            words.Add("static");
        else if (type.TypeKind == TypeKind.Class && type.IsAbstract)
            words.Add("abstract");
        else if (type.TypeKind == TypeKind.Class && type.IsSealed)
            words.Add("sealed");

        words.Add(type.ToDisplayString(TypeFormat));
        var bases = Bases(type).ToArray();
        return string.Join(' ', words) + (bases.Length > 0 ? " : " + string.Join(", ", bases) : "");
    }

    private static IEnumerable<string> Bases(INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Enum)
            return type.EnumUnderlyingType!.SpecialType == SpecialType.System_Int32 ? [] : [type.EnumUnderlyingType.ToDisplayString(MemberFormat)];

        if (type.TypeKind == TypeKind.Delegate)
            return [];

        IEnumerable<INamedTypeSymbol> parent = type.BaseType is { SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType) } known ? [known] : [];
        return parent.Concat(type.Interfaces.Where(IsVisible).OrderBy(face => face.ToDisplayString(), StringComparer.Ordinal)).Select(face => face.ToDisplayString(MemberFormat));
    }

    private static string Line(ISymbol member)
        => member is IFieldSymbol { ContainingType.TypeKind: TypeKind.Enum } value
            ? $"{value.Name} = {value.ConstantValue}"
            : $"{SyntaxFacts.GetText(member.DeclaredAccessibility)} {member.ToDisplayString(MemberFormat)}";

    // Accessors belong to their property or event; the runtime's own members of delegates and enumerations are no news.
    private static bool IsSurface(ISymbol member) => IsReachable(member) && member is not INamedTypeSymbol
        && !(member.ContainingType.IsRecord && OfEveryRecord.Contains(member.Name))
        && member is not IMethodSymbol { AssociatedSymbol: not null }
        && !(member.ContainingType.TypeKind is TypeKind.Delegate or TypeKind.Enum && member is not IFieldSymbol)
        && !(member.ContainingType.TypeKind == TypeKind.Enum && member is IFieldSymbol { HasConstantValue: false })
        && !(member is IMethodSymbol { MethodKind: MethodKind.Constructor, Parameters.Length: 0 } && member.ContainingType.TypeKind == TypeKind.Struct && member.IsImplicitlyDeclared);

    private static bool IsVisible(INamedTypeSymbol type) => IsReachable(type) && (type.ContainingType is not { } outer || IsVisible(outer));

    private static bool IsReachable(ISymbol symbol) => symbol.DeclaredAccessibility switch
    {
        Accessibility.Public => true,
        Accessibility.Protected or Accessibility.ProtectedOrInternal => symbol.ContainingType is { IsSealed: false },
        _ => false,
    };
}
