using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>The formatters of the platform's types.</summary>
internal static class KnownTypes
{
    internal const string Library = "global::Postrider.MessagePack.Formatters.";

    /// <summary>Formatters of types without arguments, by the type's name.</summary>
    private static readonly Dictionary<string, string> s_scalars = new()
    {
        ["bool"] = "Numbers.Boolean",
        ["sbyte"] = "Numbers.SByte",
        ["byte"] = "Numbers.Byte",
        ["short"] = "Numbers.Int16",
        ["ushort"] = "Numbers.UInt16",
        ["int"] = "Numbers.Int32",
        ["uint"] = "Numbers.UInt32",
        ["long"] = "Numbers.Int64",
        ["ulong"] = "Numbers.UInt64",
        ["float"] = "Numbers.Single",
        ["double"] = "Numbers.Double",
        ["char"] = "Numbers.Char",
        ["System.Half"] = "Numbers.Half",
        ["decimal"] = "BigNumbers.Decimal",
        ["System.Numerics.BigInteger"] = "BigNumbers.Big",
        ["System.Int128"] = "BigNumbers.Int128",
        ["System.UInt128"] = "BigNumbers.UInt128",
        ["System.Numerics.Complex"] = "BigNumbers.Complex",
        ["string"] = "Texts.String",
        ["byte[]"] = "Texts.Bytes",
        ["System.Guid"] = "Texts.Guid",
        ["System.Uri"] = "Texts.Uri",
        ["System.Version"] = "Texts.Version",
        ["System.Text.StringBuilder"] = "Texts.Builder",
        ["System.Text.Rune"] = "Texts.Rune",
        ["System.Memory<byte>"] = "Texts.Memory",
        ["System.ReadOnlyMemory<byte>"] = "Texts.ReadOnlyMemory",
        ["System.ArraySegment<byte>"] = "Texts.Segment",
        ["System.DateTime"] = "Times.DateTime",
        ["System.DateTimeOffset"] = "Times.DateTimeOffset",
        ["System.TimeSpan"] = "Times.Span",
        ["System.DateOnly"] = "Times.DateOnly",
        ["System.TimeOnly"] = "Times.TimeOnly",
        ["Postrider.MessagePack.MessagePackTimestamp"] = "Times.Timestamp",
    };

    /// <summary>Formatters of sequences, by the definition's name: the formatter itself, or the factory for <c>Collections.Any</c>.</summary>
    private static readonly Dictionary<string, string> s_collections = new()
    {
        ["System.Collections.Generic.List<T>"] = "Collections.ListOf",
        ["System.Collections.Immutable.ImmutableArray<T>"] = "Collections.ImmutableArrayOf",
        ["System.ReadOnlyMemory<T>"] = "Collections.ReadOnlyMemoryOf",
        ["System.Collections.Generic.HashSet<T>"] = "Collections.HashSetOf",
        ["System.Collections.Generic.IEnumerable<T>"] = "CollectionFactories.Sequence",
        ["System.Collections.Generic.IReadOnlyCollection<T>"] = "CollectionFactories.ReadOnlyCollectionOf",
        ["System.Collections.Generic.IReadOnlyList<T>"] = "CollectionFactories.ReadOnlyListOf",
        ["System.Collections.Generic.ICollection<T>"] = "CollectionFactories.CollectionOf",
        ["System.Collections.Generic.IList<T>"] = "CollectionFactories.MutableList",
        ["System.Collections.Generic.ISet<T>"] = "CollectionFactories.Set",
        ["System.Collections.Generic.IReadOnlySet<T>"] = "CollectionFactories.ReadOnlySetOf",
        ["System.Collections.Generic.SortedSet<T>"] = "CollectionFactories.SortedSetOf",
        ["System.Collections.Generic.Queue<T>"] = "CollectionFactories.QueueOf",
        ["System.Collections.Generic.Stack<T>"] = "CollectionFactories.StackOf",
        ["System.Collections.Generic.LinkedList<T>"] = "CollectionFactories.LinkedListOf",
        ["System.Collections.Concurrent.ConcurrentQueue<T>"] = "CollectionFactories.ConcurrentQueueOf",
        ["System.Collections.Concurrent.ConcurrentBag<T>"] = "CollectionFactories.ConcurrentBagOf",
        ["System.Collections.Concurrent.ConcurrentStack<T>"] = "CollectionFactories.ConcurrentStackOf",
        ["System.Collections.ObjectModel.ObservableCollection<T>"] = "CollectionFactories.ObservableCollectionOf",
        ["System.Collections.ObjectModel.ReadOnlyCollection<T>"] = "CollectionFactories.ReadOnlyWrapper",
        ["System.Collections.Immutable.ImmutableList<T>"] = "CollectionFactories.ImmutableListOf",
        ["System.Collections.Immutable.IImmutableList<T>"] = "CollectionFactories.IImmutableListOf",
        ["System.Collections.Immutable.ImmutableHashSet<T>"] = "CollectionFactories.ImmutableHashSetOf",
        ["System.Collections.Immutable.IImmutableSet<T>"] = "CollectionFactories.IImmutableSetOf",
        ["System.Collections.Immutable.ImmutableSortedSet<T>"] = "CollectionFactories.ImmutableSortedSetOf",
        ["System.Collections.Immutable.ImmutableQueue<T>"] = "CollectionFactories.ImmutableQueueOf",
        ["System.Collections.Immutable.ImmutableStack<T>"] = "CollectionFactories.ImmutableStackOf",
        ["System.Collections.Frozen.FrozenSet<T>"] = "CollectionFactories.FrozenSetOf",
    };

    /// <summary>The same for maps.</summary>
    private static readonly Dictionary<string, string> s_maps = new()
    {
        ["System.Collections.Generic.Dictionary<TKey, TValue>"] = "Maps.DictionaryOf",
        ["System.Collections.Generic.IDictionary<TKey, TValue>"] = "MapFactories.MutableMap",
        ["System.Collections.Generic.IReadOnlyDictionary<TKey, TValue>"] = "MapFactories.ReadOnlyMap",
        ["System.Collections.Generic.SortedDictionary<TKey, TValue>"] = "MapFactories.SortedMap",
        ["System.Collections.Generic.SortedList<TKey, TValue>"] = "MapFactories.SortedListMap",
        ["System.Collections.Concurrent.ConcurrentDictionary<TKey, TValue>"] = "MapFactories.ConcurrentMap",
        ["System.Collections.ObjectModel.ReadOnlyDictionary<TKey, TValue>"] = "MapFactories.ReadOnlyMapWrapper",
        ["System.Collections.Immutable.ImmutableDictionary<TKey, TValue>"] = "MapFactories.ImmutableMap",
        ["System.Collections.Immutable.IImmutableDictionary<TKey, TValue>"] = "MapFactories.IImmutableMap",
        ["System.Collections.Immutable.ImmutableSortedDictionary<TKey, TValue>"] = "MapFactories.ImmutableSortedMap",
        ["System.Collections.Frozen.FrozenDictionary<TKey, TValue>"] = "MapFactories.FrozenMap",
    };

    /// <summary>The formatter of a type without relevant arguments, or null.</summary>
    internal static string? Scalar(ITypeSymbol type, bool textScalars)
    {
        if (!s_scalars.TryGetValue(SymbolNames.Known(type), out var formatter))
            return null;
        return Library + (textScalars && (formatter is "Texts.Guid" or "BigNumbers.Decimal") ? formatter + "Text" : formatter);
    }

    internal static bool IsCollection(INamedTypeSymbol type) => s_collections.ContainsKey(SymbolNames.Known(type.OriginalDefinition));

    internal static bool IsMap(INamedTypeSymbol type) => s_maps.ContainsKey(SymbolNames.Known(type.OriginalDefinition));

    internal static string Collection(INamedTypeSymbol type, string full, string item, string itemFormatter)
    {
        var found = s_collections[SymbolNames.Known(type.OriginalDefinition)];
        return found.StartsWith("CollectionFactories.")
            ? $"{Library}Collections.Any<{full}, {item}, {itemFormatter}, {Library}{found}<{item}>>"
            : $"{Library}{found}<{item}, {itemFormatter}>";
    }

    internal static string Map(INamedTypeSymbol type, string full, string key, string keyFormatter, string value, string valueFormatter)
    {
        var found = s_maps[SymbolNames.Known(type.OriginalDefinition)];
        return found.StartsWith("MapFactories.")
            ? $"{Library}Maps.Any<{full}, {key}, {keyFormatter}, {value}, {valueFormatter}, {Library}{found}<{key}, {value}>>"
            : $"{Library}{found}<{key}, {keyFormatter}, {value}, {valueFormatter}>";
    }
}
