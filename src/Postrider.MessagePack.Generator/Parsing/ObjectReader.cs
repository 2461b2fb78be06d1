using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Reads an object's members, their keys and the constructor.</summary>
internal static class ObjectReader
{
    // Gaps are written as nil: an index far beyond the others is probably an error.
    private const int MaxIndex = 1_000;

    internal static ObjectModel Read(TypeGraph graph, INamedTypeSymbol type, string formatter)
    {
        var byName = SymbolNames.Attribute(type, KnownNames.Object)?.ConstructorArguments.FirstOrDefault().Value is true;
        var members = new List<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)>();
        foreach (var symbol in Members(type))
        {
            var key = SymbolNames.Attribute(symbol, KnownNames.Key);
            var memberType = symbol is IPropertySymbol property ? property.Type : ((IFieldSymbol)symbol).Type;
            if (!CheckReadable(graph, symbol, key is not null))
                continue;
            if (key is null && !byName)
            {
                graph.Report(DiagnosticDescriptors.NoKey, symbol, symbol.Name, SymbolNames.Display(type));
                continue;
            }

            var custom = SymbolNames.Attribute(symbol, KnownNames.Formatter);
            var found = custom is null ? graph.FormatterOf(memberType, symbol) : graph.Named(custom, memberType, symbol);
            if (found is null)
                continue;
            var value = key?.ConstructorArguments.FirstOrDefault().Value;
            members.Add((symbol, memberType, new(
                SymbolNames.Escape(symbol.Name), SymbolNames.Expanded(memberType), found, value is int index ? index : -1,
                value is int ? null : value as string ?? symbol.Name, SettingOf(graph, symbol), SymbolNames.Expanded(symbol.ContainingType), symbol is IFieldSymbol)));
        }

        var isNamed = CheckKeys(graph, type, members.ConvertAll(m => (m.Symbol, m.Model))) || (byName && members.Count == 0);
        if (!isNamed)
            members.Sort((a, b) => a.Model.Index.CompareTo(b.Model.Index));
        var parameters = Constructor(graph, type, members);
        for (var i = 0; i < members.Count; i++)
        {
            if (members[i].Model.Setting == Setting.Never && !parameters.Contains(i) && HoldsState(members[i].Symbol))
                graph.Report(DiagnosticDescriptors.NotSettable, members[i].Symbol, members[i].Symbol.Name, SymbolNames.Display(type));
        }

        return new(
            SymbolNames.Expanded(type), SymbolNames.Display(type), formatter, type.IsValueType, isNamed,
            new(members.Select((m, i) => parameters.Contains(i) ? m.Model with { Setting = Setting.Argument } : m.Model)), new(parameters));
    }

    /// <summary>Members that may have a key, those of base classes first; an override takes the position of the overridden member.</summary>
    private static List<ISymbol> Members(INamedTypeSymbol type)
    {
        var members = new List<ISymbol>();
        foreach (var member in TypeShape.BasesFirst(type).SelectMany(b => b.GetMembers()))
        {
            if (member.IsStatic || member.IsImplicitlyDeclared || member is not (IPropertySymbol { IsIndexer: false } or IFieldSymbol)
                || (member.DeclaredAccessibility != Accessibility.Public && SymbolNames.Attribute(member, KnownNames.Key) is null)
                || SymbolNames.Attribute(member, KnownNames.Ignore) is not null)
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
            graph.Report(DiagnosticDescriptors.NotAccessible, symbol, symbol.Name, SymbolNames.Display(graph.Context));
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

        // The runtime only finds a setter of a generic type from a class with the same parameters.
        if (!TypeShape.IsGeneric(symbol.ContainingType))
            return Setting.Accessor;
        return graph.CanReach(setter) ? Setting.Initializer : Setting.Never;
    }

    /// <summary>False for a property that computes its value: it is written for other readers, and skipping it loses nothing.</summary>
    private static bool HoldsState(ISymbol symbol)
        => symbol is IFieldSymbol or IPropertySymbol { SetMethod: not null }
            || symbol.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(field => SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, symbol));

    private static bool CheckKeys(TypeGraph graph, INamedTypeSymbol type, List<(ISymbol Symbol, MemberModel Model)> members)
    {
        var named = members.Count(m => m.Model.Key is not null);
        if (named > 0 && named < members.Count)
            graph.Report(DiagnosticDescriptors.MixedKeys, type, SymbolNames.Display(type), "some members have an index and others a name");
        foreach (var (symbol, model) in members)
        {
            if (model.Key is null && model.Index is < 0 or > MaxIndex && named == 0)
                graph.Report(DiagnosticDescriptors.MixedKeys, symbol, SymbolNames.Display(symbol), $"an index must be between 0 and {MaxIndex}");
        }

        foreach (var group in members.GroupBy(m => m.Model.Key ?? m.Model.Index.ToString()).Where(g => g.Count() > 1))
        {
            graph.Report(
                DiagnosticDescriptors.DuplicateKey, group.Last().Symbol, group.Key, SymbolNames.Display(type), string.Join(", ", group.Select(m => m.Symbol.Name)));
        }

        return named > 0;
    }

    /// <summary>The members that are the constructor's arguments, in order.</summary>
    private static List<int> Constructor(
        TypeGraph graph, INamedTypeSymbol type, List<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)> members)
    {
        var candidates = type.InstanceConstructors.Where(c => graph.CanReach(c)).ToList();
        if (candidates.Where(c => SymbolNames.Attribute(c, KnownNames.Constructor) is not null).ToList() is { Count: > 0 } chosen)
            candidates = chosen;
        foreach (var constructor in candidates.OrderByDescending(c => c.Parameters.Length))
        {
            var found = constructor.Parameters.Select(Member).ToList();
            if (!found.Contains(-1))
                return found;
        }

        graph.Report(DiagnosticDescriptors.NoConstructor, type, SymbolNames.Display(type));
        return [];

        int Member(IParameterSymbol parameter)
        {
            var byName = members.FindIndex(m => string.Equals(m.Symbol.Name, parameter.Name, StringComparison.OrdinalIgnoreCase) && IsSame(m.Type, parameter));
            return byName >= 0 ? byName : members.FindIndex(m => m.Model.Key is null && m.Model.Index == parameter.Ordinal && IsSame(m.Type, parameter));
        }
    }

    private static bool IsSame(ITypeSymbol type, IParameterSymbol parameter)
        => parameter.RefKind is RefKind.None or RefKind.In && SymbolEqualityComparer.Default.Equals(type, parameter.Type);
}
