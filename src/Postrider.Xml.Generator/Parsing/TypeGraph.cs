using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generators;
using Postrider.Xml.Generator.Model;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>The types that a context reaches, each with its formatter.</summary>
internal sealed class TypeGraph(INamedTypeSymbol context)
{
    private readonly Dictionary<string, TypeModel?> _types = [];
    private readonly Dictionary<string, int> _collectionsBegun = [];

    internal List<ObjectModel> Objects { get; } = [];

    internal List<CollectionModel> Collections { get; } = [];

    internal List<EnumerationModel> Enumerations { get; } = [];

    internal List<DiagnosticInfo> Diagnostics { get; } = [];

    /// <summary>Types that contracts list besides those of their methods: they can be used in place of their base types.</summary>
    internal List<INamedTypeSymbol> ServiceKnown { get; } = [];

    internal INamedTypeSymbol Context { get; } = context;

    internal IEnumerable<TypeModel> Types => _types.Values.OfType<TypeModel>();

    /// <summary>A type, or null after a problem.</summary>
    /// <param name="type">The type.</param>
    /// <param name="user">The member or context that needs it.</param>
    internal TypeModel? Of(ITypeSymbol type, ISymbol user)
    {
        var full = SymbolNames.Expanded(type);
        if (_types.TryGetValue(full, out var known))
            return known;
        var found = Find(type, full, user);
        _types[full] = found;
        return found;
    }

    internal void Report(DiagnosticDescriptor rule, ISymbol at, params string[] arguments)
        => Diagnostics.Add(new(rule, at.Locations.Any(l => l.IsInSource) ? at : Context, arguments));

    /// <summary>Whether emitted code in the context can access a member or type.</summary>
    internal bool CanReach(ISymbol symbol) => TypeShape.CanReach(symbol, Context.ContainingAssembly);

    private TypeModel? Find(ITypeSymbol type, string full, ISymbol user)
    {
        if (KnownTypes.Scalars.TryGetValue(SymbolNames.Known(type), out var scalar))
            return new(full, $"{KnownTypes.Library}Scalars.{scalar.Formatter}", scalar.Name, scalar.Namespace, scalar.IsNillable);
        if (type is IArrayTypeSymbol { Rank: 1 } array)
            return Collection(type, full, array.ElementType, $"ArrayOf<{SymbolNames.Expanded(array.ElementType)}>", null, user);
        if (type is not INamedTypeSymbol named || type.TypeKind is TypeKind.Delegate or TypeKind.Error or TypeKind.Dynamic || type.SpecialType == SpecialType.System_Object)
            return Reject(type, user);
        if (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
        {
            return Of(named.TypeArguments[0], user) is { } inner
                ? new(full, $"{KnownTypes.Library}WrapperFormatters.Nullable<{inner.Type}, {inner.Formatter}>", inner.Name, inner.Namespace, IsNillable: true)
                : null;
        }

        var definition = SymbolNames.Known(named.OriginalDefinition);
        if (KnownTypes.Collections.TryGetValue(definition, out var maker))
        {
            var item = SymbolNames.Expanded(named.TypeArguments[0]);
            return Collection(type, full, named.TypeArguments[0], maker == "ImmutableArrayOf" ? $"{maker}<{item}>" : $"{maker}<{full}, {item}>", null, user);
        }

        if (KnownTypes.Maps.Contains(definition))
            return Map(named, full, user);
        if (!CanReach(named))
        {
            Report(DiagnosticDescriptors.NotAccessible, named, SymbolNames.Display(named), SymbolNames.Display(Context));
            return null;
        }

        if (named.TypeKind == TypeKind.Enum)
            return Enumeration(named, full);
        if (SymbolNames.Attribute(named, KnownNames.Contract) is null && CustomItem(named) is { } customItem)
        {
            // In WCF its entries have other names than items of a collection.
            return IsDictionary(named) ? Reject(type, user) : Collection(type, full, customItem, $"Custom<{full}, {SymbolNames.Expanded(customItem)}>", named, user);
        }

        if (named.TypeKind is not (TypeKind.Class or TypeKind.Struct) || named.IsTupleType || named.SpecialType != SpecialType.None || (IsPlatforms(named) && !KnownTypes.IsPair(named)))
            return Reject(type, user);
        return Object(named, full);
    }

    private static bool IsDictionary(INamedTypeSymbol type)
        => type.AllInterfaces.Any(one => one is { MetadataName: "IDictionary`2", ContainingNamespace.Name: "Generic" });

    // The model of a type is registered before its members are read: they may refer back to it.
    private TypeModel Object(INamedTypeSymbol type, string full)
    {
        // An object that was already written would be a reference only, and be read as an empty object.
        if (SymbolNames.Argument(SymbolNames.Attribute(type, KnownNames.Contract), "IsReference") is true)
            Report(DiagnosticDescriptors.IsReference, type, SymbolNames.Display(type));
        var (name, space) = ContractName.Of(type, KnownNames.Contract, t => NameOf(t, type));
        var model = new TypeModel(full, SymbolNames.Identifier(type) + "Formatter", name, space, !type.IsValueType);
        _types[full] = model;
        var read = ObjectReader.Read(this, type, model);
        Objects.Add(read);
        return model;
    }

    private TypeModel? Collection(ITypeSymbol type, string full, ITypeSymbol item, string maker, INamedTypeSymbol? custom, ISymbol user)
    {
        // An item may refer back to its collection through an object, whose name is known by then. A collection of itself never ends.
        _collectionsBegun.TryGetValue(full, out var begun);
        if (begun > 1)
            return Reject(type, user);
        _collectionsBegun[full] = begun + 1;
        if (Of(item, user) is not { } model)
            return null;
        if (Finished(full) is { } finished)
            return finished;
        var attribute = custom is null ? null : SymbolNames.Attribute(custom, KnownNames.Collection);
        var (itemName, itemSpace) = NameOf(item, user);
        var name = SymbolNames.Argument(attribute, "Name") as string ?? "ArrayOf" + itemName;
        var space = SymbolNames.Argument(attribute, "Namespace") as string
            ?? (custom is not null && attribute is not null ? ContractName.Space(custom) : KnownTypes.IsBuiltIn(itemSpace) ? KnownTypes.Arrays : itemSpace);
        if (custom is not null && attribute is not null && SymbolNames.Argument(attribute, "Name") is null)
            name = ContractName.Of(custom, KnownNames.Collection, t => NameOf(t, user)).Name;
        var element = SymbolNames.Argument(attribute, "ItemName") as string ?? model.Name;
        var identifier = SymbolNames.Identifier(type) + "Name";
        var found = new TypeModel(
            full, $"{KnownTypes.Library}Collections.Of<{full}, {model.Type}, {model.Formatter}, {identifier}, {KnownTypes.Library}CollectionFactories.{maker}>", name, space, IsNillable: true);
        Collections.Add(new(found, identifier, element, model, null, null, null));
        return found;
    }

    // The item has referred back to the collection, which was read then.
    private TypeModel? Finished(string full) => _types.TryGetValue(full, out var known) ? known : null;

    private TypeModel? Map(INamedTypeSymbol type, string full, ISymbol user)
    {
        if (Of(type.TypeArguments[0], user) is not { } key || Of(type.TypeArguments[1], user) is not { } value)
            return null;
        if (Finished(full) is { } finished)
            return finished;
        var pair = ContractName.Pair(NameOf(type.TypeArguments[0], user), NameOf(type.TypeArguments[1], user));
        var identifier = SymbolNames.Identifier(type) + "Name";
        var found = new TypeModel(
            full, $"{KnownTypes.Library}Maps.{(KnownTypes.IsSorted(type) ? "Sorted" : "Of")}<{full}, {key.Type}, {key.Formatter}, {value.Type}, {value.Formatter}, {identifier}>", "ArrayOf" + pair, KnownTypes.Arrays, IsNillable: true);
        Collections.Add(new(found, identifier, pair, null, pair, key, value));
        return found;
    }

    private TypeModel Enumeration(INamedTypeSymbol type, string full)
    {
        var contract = SymbolNames.Attribute(type, KnownNames.Contract);
        var (name, space) = ContractName.Of(type, KnownNames.Contract, t => NameOf(t, type));
        var identifier = SymbolNames.Identifier(type) + "Names";
        var isFlags = type.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == "System.FlagsAttribute");
        var names = new List<string>();
        var values = new List<ulong>();
        foreach (var field in type.GetMembers().OfType<IFieldSymbol>().Where(f => f.HasConstantValue))
        {
            // Without the contract's attribute, those of the values have no effect.
            var attribute = contract is null ? null : SymbolNames.Attribute(field, KnownNames.EnumMember);
            if (contract is not null && attribute is null)
                continue;
            names.Add(SymbolNames.Argument(attribute, "Value") as string ?? field.Name);
            values.Add(Bits(field.ConstantValue));
        }

        var model = new TypeModel(full, $"{KnownTypes.Library}WrapperFormatters.Enumeration<{full}, {identifier}>", name, space, IsNillable: false);
        Enumerations.Add(new(model, identifier, isFlags, new(names), new(values)));
        return model;
    }

    private (string Name, string Namespace) NameOf(ITypeSymbol type, ISymbol user)
    {
        if (Of(type, user) is not { } model)
            return ("", "");
        return type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T
            ? ("NullableOf" + model.Name, KnownTypes.IsBuiltIn(model.Namespace) ? KnownTypes.Contracts + "System" : model.Namespace)
            : (model.Name, model.Namespace);
    }

    private static ulong Bits(object? value) => value switch
    {
        sbyte number => (byte)number,
        short number => (ushort)number,
        int number => (uint)number,
        long number => (ulong)number,
        byte number => number,
        ushort number => number,
        uint number => number,
        ulong number => number,
        _ => 0,
    };

    private ITypeSymbol? CustomItem(INamedTypeSymbol type)
        => type.TypeKind is TypeKind.Class && !type.IsAbstract && type.InstanceConstructors.Any(c => c.Parameters.IsEmpty && CanReach(c))
            ? type.AllInterfaces.FirstOrDefault(i => i.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_ICollection_T)?.TypeArguments[0]
            : null;

    // .NET types that are not listed have no data contract, or an unintended one.
    private static bool IsPlatforms(INamedTypeSymbol type)
        => type.ContainingNamespace is { } space && (space.ToDisplayString() is "System" || space.ToDisplayString().StartsWith("System."))
        && SymbolNames.Attribute(type, KnownNames.Contract) is null && !type.Locations.Any(l => l.IsInSource);

    private TypeModel? Reject(ITypeSymbol type, ISymbol user)
    {
        Report(DiagnosticDescriptors.NotSerializable, user, SymbolNames.Display(type), SymbolNames.Display(user));
        return null;
    }
}
