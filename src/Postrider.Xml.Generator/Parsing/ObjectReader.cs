using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>Reads an object's members, their names and the constructor.</summary>
internal static class ObjectReader
{
    internal static ObjectModel Read(TypeGraph graph, INamedTypeSymbol type, TypeModel model)
    {
        var members = new List<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)>();
        var level = 0;
        foreach (var owner in TypeShape.BasesFirst(type))
        {
            var space = graph.Of(owner, type)?.Namespace ?? model.Namespace;
            var own = Members(owner).Select(symbol => Member(graph, symbol, space, level)).OfType<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)>().ToList();
            members.AddRange(own.OrderBy(m => Order(m.Symbol)).ThenBy(m => m.Model.Element, StringComparer.Ordinal));
            level++;
        }

        foreach (var group in members.GroupBy(m => m.Model.Element).Where(g => g.Count() > 1))
            graph.Report(DiagnosticDescriptors.DuplicateName, group.Last().Symbol, group.Key, SymbolNames.Display(type));

        var making = type.IsAbstract ? Making.Never : Making.Constructor;
        var parameters = making == Making.Never ? [] : Constructor(graph, type, members);
        if (parameters is null)
        {
            making = Making.Empty;
            parameters = [];
            if (SymbolNames.Attribute(type, KnownNames.Contract) is null)
                graph.Report(DiagnosticDescriptors.NoConstructor, type, SymbolNames.Display(type));
        }

        foreach (var (symbol, _, _) in members.Where((m, i) => making != Making.Never && m.Model.Setting == Setting.Never && !parameters.Contains(i)))
        {
            if (!graph.Diagnostics.Any(p => p.Descriptor.Equals(DiagnosticDescriptors.NeverSet) && SymbolEqualityComparer.Default.Equals(p.At, symbol)))
                graph.Report(DiagnosticDescriptors.NeverSet, symbol, SymbolNames.Display(symbol));
        }

        var derived = type.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == KnownNames.KnownType)
            .Select(a => a.ConstructorArguments.FirstOrDefault().Value).OfType<INamedTypeSymbol>()
            .Concat(graph.ServiceKnown).Where(t => IsDerived(t, type)).Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default).Select(t => graph.Of(t, type)).OfType<TypeModel>().ToList();
        var parent = type.BaseType is { SpecialType: SpecialType.None } @base ? graph.Of(@base, type) : null;
        return new(
            model, SymbolNames.Display(type), type.IsValueType, making,
            new(members.Select((m, i) => parameters.Contains(i) ? m.Model with { Setting = Setting.Argument }
                : making == Making.Empty && m.Model.Setting == Setting.Initializer ? m.Model with { Setting = Setting.Accessor } : m.Model)),
            new(parameters), new(derived), parent, new(TypeShape.BasesFirst(type).SelectMany(owner => CallbackReader.Read(graph, owner))));
    }

    private static bool IsDerived(INamedTypeSymbol type, INamedTypeSymbol from)
    {
        for (var at = type.BaseType; at is not null; at = at.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(at, from))
                return true;
        }

        return false;
    }

    private static IEnumerable<ISymbol> Members(INamedTypeSymbol owner)
    {
        if (KnownTypes.IsPair(owner))
            return owner.GetMembers().OfType<IPropertySymbol>();
        var isContract = SymbolNames.Attribute(owner, KnownNames.Contract) is not null;
        return owner.GetMembers().Where(member => !member.IsStatic && !member.IsImplicitlyDeclared && !member.IsOverride
            && (isContract ? SymbolNames.Attribute(member, KnownNames.Member) is not null : IsPublicMember(member))
            && member is IPropertySymbol { IsIndexer: false } or IFieldSymbol);
    }

    private static bool IsPublicMember(ISymbol member)
        => member.DeclaredAccessibility == Accessibility.Public && SymbolNames.Attribute(member, KnownNames.Ignore) is null
        && member is IFieldSymbol { IsReadOnly: false, IsConst: false } or IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public, SetMethod.DeclaredAccessibility: Accessibility.Public };

    private static int Order(ISymbol symbol) => SymbolNames.Argument(SymbolNames.Attribute(symbol, KnownNames.Member), "Order") as int? ?? -1;

    private static (ISymbol Symbol, ITypeSymbol Type, MemberModel Model)? Member(TypeGraph graph, ISymbol symbol, string space, int level)
    {
        var type = symbol is IPropertySymbol property ? property.Type : ((IFieldSymbol)symbol).Type;
        var getter = symbol is IPropertySymbol { } read ? read.GetMethod : symbol;
        var isHidden = getter is not null && !graph.CanReach(getter);
        if (getter is null || (isHidden && TypeShape.IsGeneric(symbol.ContainingType)))
        {
            graph.Report(DiagnosticDescriptors.NotAccessible, symbol, SymbolNames.Display(symbol), SymbolNames.Display(graph.Context));
            return null;
        }

        if (graph.Of(type, symbol) is not { } model)
            return null;
        var attribute = SymbolNames.Attribute(symbol, KnownNames.Member);
        return (symbol, type, new(
            SymbolNames.Escape(symbol.Name), SymbolNames.Argument(attribute, "Name") as string ?? (KnownTypes.IsPair(symbol.ContainingType) ? symbol.Name.ToLowerInvariant() : symbol.Name), space, model, SettingOf(graph, symbol), SymbolNames.Expanded(symbol.ContainingType),
            symbol is IFieldSymbol, isHidden, SymbolNames.Argument(attribute, "IsRequired") is true, SymbolNames.Argument(attribute, "EmitDefaultValue") is false, level));
    }

    private static Setting SettingOf(TypeGraph graph, ISymbol symbol)
    {
        var isGeneric = TypeShape.IsGeneric(symbol.ContainingType);
        if (symbol is IFieldSymbol field)
            return field.IsRequired ? Setting.Initializer : graph.CanReach(field) && !field.IsReadOnly ? Setting.Assignment : isGeneric ? Setting.Never : Setting.Accessor;

        var property = (IPropertySymbol)symbol;
        if (property.SetMethod is not { } setter)
            return Setting.Never;
        if (property.IsRequired)
            return Setting.Initializer;
        if (graph.CanReach(setter) && !setter.IsInitOnly)
            return Setting.Assignment;

        // The runtime only finds a setter of a generic type from a class with the same parameters.
        return !isGeneric ? Setting.Accessor : graph.CanReach(setter) ? Setting.Initializer : Setting.Never;
    }

    /// <summary>The members that are the constructor's arguments, in order; null if no constructor matches.</summary>
    private static List<int>? Constructor(TypeGraph graph, INamedTypeSymbol type, List<(ISymbol Symbol, ITypeSymbol Type, MemberModel Model)> members)
    {
        foreach (var constructor in type.InstanceConstructors.Where(c => graph.CanReach(c) && !(KnownTypes.IsPair(type) && c.Parameters.IsEmpty)).OrderBy(c => c.Parameters.Length))
        {
            var found = constructor.Parameters.Select(p => members.FindIndex(m =>
                string.Equals(m.Symbol.Name, p.Name, StringComparison.OrdinalIgnoreCase) && SymbolEqualityComparer.Default.Equals(m.Type, p.Type)
                && p.RefKind is RefKind.None or RefKind.In)).ToList();
            if (!found.Contains(-1))
                return found;
        }

        return null;
    }
}
