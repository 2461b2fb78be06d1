using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Postrider.MessagePack.Formatters;

/// <summary>Factories of .NET's dictionaries.</summary>
public static class MapFactories
{
    /// <summary>A dictionary for <see cref="IDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct MutableMap<TKey, TValue> : IMapFactory<IDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static IDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => pairs;
    }

    /// <summary>A dictionary for <see cref="IReadOnlyDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct ReadOnlyMap<TKey, TValue> : IMapFactory<IReadOnlyDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static IReadOnlyDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => pairs;
    }

    /// <summary>A <see cref="SortedDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct SortedMap<TKey, TValue> : IMapFactory<SortedDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static SortedDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => new(pairs);
    }

    /// <summary>A <see cref="SortedList{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct SortedListMap<TKey, TValue> : IMapFactory<SortedList<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static SortedList<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => new(pairs);
    }

    /// <summary>A <see cref="ConcurrentDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct ConcurrentMap<TKey, TValue> : IMapFactory<ConcurrentDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static ConcurrentDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => new(pairs, KeyComparer<TKey>.Instance ?? EqualityComparer<TKey>.Default);
    }

    /// <summary>A <see cref="ReadOnlyDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct ReadOnlyMapWrapper<TKey, TValue> : IMapFactory<ReadOnlyDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static ReadOnlyDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => new(pairs);
    }

    /// <summary>An <see cref="ImmutableDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct ImmutableMap<TKey, TValue> : IMapFactory<ImmutableDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static ImmutableDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => pairs.ToImmutableDictionary(KeyComparer<TKey>.Instance);
    }

    /// <summary>An immutable dictionary for <see cref="IImmutableDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct IImmutableMap<TKey, TValue> : IMapFactory<IImmutableDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static IImmutableDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => pairs.ToImmutableDictionary(KeyComparer<TKey>.Instance);
    }

    /// <summary>An <see cref="ImmutableSortedDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct ImmutableSortedMap<TKey, TValue> : IMapFactory<ImmutableSortedDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static ImmutableSortedDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => pairs.ToImmutableSortedDictionary();
    }

    /// <summary>A <see cref="FrozenDictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    public readonly struct FrozenMap<TKey, TValue> : IMapFactory<FrozenDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        /// <inheritdoc/>
        public static FrozenDictionary<TKey, TValue> Create(Dictionary<TKey, TValue> pairs) => pairs.ToFrozenDictionary(KeyComparer<TKey>.Instance);
    }
}
