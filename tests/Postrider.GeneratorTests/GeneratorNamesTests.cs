using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Postrider.Generator;

namespace Postrider.GeneratorTests;

/// <summary>The generator refers to no library and knows their types by name: each name must exist.</summary>
public sealed partial class GeneratorNamesTests
{
    private static readonly Compilation Libraries = UserProject.Source("", withCompat: true);

    private static readonly HashSet<string> Types = [.. TypesIn(Libraries.GlobalNamespace).SelectMany(Spellings)];

    /// <summary>The constants by which the generator recognizes types.</summary>
    public static TheoryData<string> Recognized =>
        [.. typeof(PostriderGenerator).Assembly.GetType("Postrider.Generator.Parsing.KnownNames", throwOnError: true)!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic).Where(constant => constant.IsLiteral).Select(constant => (string)constant.GetRawConstantValue()!)];

    /// <summary>What the generator writes into the user's program.</summary>
    public static TheoryData<string> Written =>
        [.. Directory.EnumerateFiles(Checkout.PathOf("src", "Postrider.Generator"), "*.cs", SearchOption.AllDirectories)
            .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .SelectMany(file => GlobalName().Matches(File.ReadAllText(file)).Select(found => Full(found.Value).TrimEnd('.')))
            .Where(name => !name.StartsWith("Postrider.Generated", StringComparison.Ordinal)).Distinct().Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Recognized))]
    public void Name_by_which_a_type_is_recognized_is_a_type(string name)
        => Assert.True(Exists(name), $"No library has {name}.");

    [Theory]
    [MemberData(nameof(Written))]
    public void Name_in_emitted_code_is_a_namespace_a_type_or_a_member(string name)
        => Assert.True(Resolves(name), $"No library has {name}.");

    [Theory]
    [InlineData("Postrider.IRequestt<TResponse>")]
    [InlineData("Postrider.IRequest")]
    [InlineData("Postrider.Dispatch.Gone")]
    [InlineData("Postrider.Dispatch.CallState.Gone")]
    public void Name_that_does_not_exist_is_found_out(string name)
        => Assert.False(Exists(name) || Resolves(name + (name == "Postrider.IRequest" ? ".Gone" : "")));

    private static bool Exists(string name) => Types.Contains(name);

    // Emitted text is cut where an argument is filled in, so what is known is the beginning of a name.
    private static bool Resolves(string name)
    {
        INamespaceOrTypeSymbol current = Libraries.GlobalNamespace;
        var parts = name.Split('.');
        for (var i = 0; i < parts.Length; i++)
        {
            var members = current.GetMembers(parts[i]).Concat(current.GetMembers(parts[i] + "Attribute")).ToArray();
            if (members.OfType<INamespaceOrTypeSymbol>().FirstOrDefault() is { } next)
                current = next;
            else
                return i == parts.Length - 1 && members.Length > 0;
        }

        return true;
    }

    private static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceSymbol space)
        => space.GetTypeMembers().Concat(space.GetNamespaceMembers()
            .Where(inner => !space.IsGlobalNamespace || inner.Name == "Postrider").SelectMany(TypesIn));

    private static string[] Spellings(INamedTypeSymbol type)
        => [type.ToDisplayString(), $"{type.ContainingNamespace.ToDisplayString()}.{type.MetadataName}"];

    // The aliases that every emitted file begins with.
    private static string Full(string name) => name
        .Replace("_P::", "Postrider.", StringComparison.Ordinal)
        .Replace("_D::", "Postrider.Dispatch.", StringComparison.Ordinal)
        .Replace("global::", "", StringComparison.Ordinal);

    [GeneratedRegex(@"(?:global::Postrider|_[PD]::\w+)(?:\.\w+)*\.?")]
    private static partial Regex GlobalName();
}
