using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.UnitTests.Architecture;

/// <summary>The types that sources declare, and their members, by simple names: what is generic, nested or partial counts by its name alone.</summary>
internal sealed class DeclaredNames
{
    private readonly Dictionary<string, HashSet<string>> _members = new(StringComparer.Ordinal);
    private readonly Dictionary<string, HashSet<string>> _bases = new(StringComparer.Ordinal);

    /// <summary>Reads sources.</summary>
    public DeclaredNames(IEnumerable<SyntaxTree> sources)
    {
        foreach (var type in sources.SelectMany(static source => source.GetRoot().DescendantNodes()).OfType<MemberDeclarationSyntax>())
            Read(type);
    }

    /// <summary>Whether a type of that name is declared.</summary>
    public bool HasType(string name) => _members.ContainsKey(name);

    /// <summary>Whether a type declares a member or a nested type of that name, or inherits it from a type that is declared as well.</summary>
    public bool HasMember(string type, string member) => HasMember(type, member, []);

    private bool HasMember(string type, string member, HashSet<string> seen)
        => seen.Add(type) && _members.TryGetValue(type, out var members) && (members.Contains(member) || _bases[type].Any(@base => HasMember(@base, member, seen)));

    private void Read(MemberDeclarationSyntax node)
    {
        switch (node)
        {
            case BaseTypeDeclarationSyntax type:
                var members = Members(type.Identifier.Text);
                members.UnionWith((type as TypeDeclarationSyntax)?.Members.SelectMany(Names) ?? []);
                members.UnionWith((type as EnumDeclarationSyntax)?.Members.Select(static member => member.Identifier.Text) ?? []);
                members.UnionWith((type as RecordDeclarationSyntax)?.ParameterList?.Parameters.Select(static parameter => parameter.Identifier.Text) ?? []);
                _bases[type.Identifier.Text].UnionWith(type.BaseList?.Types.Select(static listed => NameOf(listed.Type)) ?? []);
                break;
            case DelegateDeclarationSyntax type:
                Members(type.Identifier.Text);
                break;
        }
    }

    private HashSet<string> Members(string type)
    {
        if (_members.TryGetValue(type, out var known))
            return known;
        _bases.Add(type, new HashSet<string>(StringComparer.Ordinal));
        return _members[type] = new HashSet<string>(StringComparer.Ordinal);
    }

    private static IEnumerable<string> Names(MemberDeclarationSyntax member) => member switch
    {
        MethodDeclarationSyntax method => [method.Identifier.Text],
        PropertyDeclarationSyntax property => [property.Identifier.Text],
        EventDeclarationSyntax @event => [@event.Identifier.Text],
        BaseFieldDeclarationSyntax field => field.Declaration.Variables.Select(static variable => variable.Identifier.Text),
        BaseTypeDeclarationSyntax type => [type.Identifier.Text],
        DelegateDeclarationSyntax type => [type.Identifier.Text],
        _ => [],
    };

    private static string NameOf(TypeSyntax type) => type switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.Text,
        SimpleNameSyntax simple => simple.Identifier.Text,
        _ => type.ToString(),
    };
}
