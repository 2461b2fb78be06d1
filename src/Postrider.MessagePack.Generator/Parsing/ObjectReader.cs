using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Reads an object's members, their keys and the constructor.</summary>
internal static class ObjectReader
{
    // Gaps are written as nil: an index far beyond the others is a mistake, not a plan.
    private const int MaxIndex = 1_000;

    internal static ObjectModel Read(TypeGraph graph, INamedTypeSymbol type, string formatter)
    {
        var byName = Names.Attribute(type, Names.Object)?.ConstructorArguments.FirstOrDefault().Value is true;
        var members = new List<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)>();
        foreach (var symbol in Members(type))
        {
            var key = Names.Attribute(symbol, Names.Key);
            var memberType = symbol is IPropertySymbol property ? property.Type : ((IFieldSymbol)symbol).Type;
            if (!CheckReadable(graph, symbol, key is not null))
                continue;
            if (key is null && !byName)
            {
                graph.Report(Rule.NoKey, symbol, symbol.Name, Names.Display(type));
                continue;
            }

            var custom = Names.Attribute(symbol, Names.Formatter);
            var found = custom is null ? graph.FormatterOf(memberType, symbol) : graph.Named(custom, memberType, symbol);
            if (found is null)
                continue;
            var value = key?.ConstructorArguments.FirstOrDefault().Value;
            members.Add((symbol, memberType, new(
                Escape(symbol.Name), Names.Full(memberType), found, value is int index ? index : -1,
                value is int ? null : value as string ?? symbol.Name, SettingOf(graph, symbol), Names.Full(symbol.ContainingType), symbol is IFieldSymbol)));
        }

        var isNamed = CheckKeys(graph, type, members.ConvertAll(m => (m.Symbol, m.Model))) || (byName && members.Count == 0);
        if (!isNamed)
            members.Sort((a, b) => a.Model.Index.CompareTo(b.Model.Index));
        var parameters = Constructor(graph, type, members);
        return new(
            Names.Full(type), Names.Display(type), formatter, type.IsValueType, isNamed,
            new(members.Select((m, i) => parameters.Contains(i) ? m.Model with { Setting = Setting.Argument } : m.Model)), new(parameters));
    }

    /// <summary>Members that may have a key, those of bases first; what overrides stands where the overridden stood.</summary>
    private static List<ISymbol> Members(INamedTypeSymbol type)
    {
        var bases = new Stack<INamedTypeSymbol>();
        for (var at = type; at is not null && at.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType); at = at.BaseType)
            bases.Push(at);

        var members = new List<ISymbol>();
        foreach (var member in bases.SelectMany(b => b.GetMembers()))
        {
            if (member.IsStatic || member.IsImplicitlyDeclared || member is not (IPropertySymbol { IsIndexer: false } or IFieldSymbol)
                || (member.DeclaredAccessibility != Accessibility.Public && Names.Attribute(member, Names.Key) is null)
                || Names.Attribute(member, Names.Ignore) is not null)
                continue;
            var hidden = members.FindIndex(m => m.Name == member.Name);
            if (hidden >= 0)
                members[hidden] = member;
            else
                members.Add(member);
        }

        return members;
    }

    private static bool CheckReadable(TypeGraph graph, ISymbol symbol, bool hasKey)
    {
        var getter = symbol is IPropertySymbol property ? property.GetMethod : symbol;
        if (getter is not null && graph.CanReach(getter))
            return true;
        if (hasKey)
            graph.Report(Rule.NotAccessible, symbol, symbol.Name, Names.Display(graph.Context));
        return false;
    }

    private static Setting SettingOf(TypeGraph graph, ISymbol symbol)
    {
        if (symbol is IFieldSymbol field)
            return field.IsReadOnly ? Setting.Never : field.IsRequired ? Setting.Initializer : Setting.Assignment;

        var property = (IPropertySymbol)symbol;
        if (property.SetMethod is not { } setter)
            return Setting.Never;
        if (property.IsRequired)
            return Setting.Initializer;
        if (graph.CanReach(setter) && !setter.IsInitOnly)
            return Setting.Assignment;

        // The runtime finds a setter of a generic type only from a class with the same parameters.
        if (!IsGeneric(symbol.ContainingType))
            return Setting.Accessor;
        return graph.CanReach(setter) ? Setting.Initializer : Setting.Never;
    }

    private static bool IsGeneric(INamedTypeSymbol type)
        => type.TypeArguments.Length > 0 || (type.ContainingType is { } outer && IsGeneric(outer));

    private static bool CheckKeys(TypeGraph graph, INamedTypeSymbol type, List<(ISymbol Symbol, MemberModel Model)> members)
    {
        var named = members.Count(m => m.Model.Key is not null);
        if (named > 0 && named < members.Count)
            graph.Report(Rule.MixedKeys, type, Names.Display(type), "some members have an index and some a name");
        foreach (var (symbol, model) in members)
        {
            if (model.Key is null && model.Index is < 0 or > MaxIndex && named == 0)
                graph.Report(Rule.MixedKeys, symbol, Names.Display(symbol), $"an index lies between 0 and {MaxIndex}");
        }

        foreach (var group in members.GroupBy(m => m.Model.Key ?? m.Model.Index.ToString()).Where(g => g.Count() > 1))
        {
            graph.Report(
                Rule.DuplicateKey, group.Last().Symbol, group.Key, Names.Display(type), string.Join(", ", group.Select(m => m.Symbol.Name)));
        }

        return named > 0;
    }

    /// <summary>The members that are the constructor's arguments, in order.</summary>
    private static List<int> Constructor(
        TypeGraph graph, INamedTypeSymbol type, List<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)> members)
    {
        var candidates = type.InstanceConstructors.Where(c => graph.CanReach(c)).ToList();
        if (candidates.Where(c => Names.Attribute(c, Names.Constructor) is not null).ToList() is { Count: > 0 } chosen)
            candidates = chosen;
        foreach (var constructor in candidates.OrderByDescending(c => c.Parameters.Length))
        {
            var found = constructor.Parameters.Select(Member).ToList();
            if (!found.Contains(-1))
                return found;
        }

        graph.Report(Rule.NoConstructor, type, Names.Display(type));
        return [];

        int Member(IParameterSymbol parameter)
        {
            var byName = members.FindIndex(m => string.Equals(m.Symbol.Name, parameter.Name, StringComparison.OrdinalIgnoreCase) && IsSame(m.Type, parameter));
            return byName >= 0 ? byName : members.FindIndex(m => m.Model.Key is null && m.Model.Index == parameter.Ordinal && IsSame(m.Type, parameter));
        }
    }

    private static bool IsSame(ITypeSymbol type, IParameterSymbol parameter)
        => parameter.RefKind is RefKind.None or RefKind.In && SymbolEqualityComparer.Default.Equals(type, parameter.Type);

    private static string Escape(string name)
        => Microsoft.CodeAnalysis.CSharp.SyntaxFacts.GetKeywordKind(name) != Microsoft.CodeAnalysis.CSharp.SyntaxKind.None ? "@" + name : name;
}
