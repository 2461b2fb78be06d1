using System.Collections.Immutable;

namespace Postrider.Xml.Formatters;

/// <summary>Factories of collections.</summary>
public static class CollectionFactories
{
    /// <summary>An array.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ArrayOf<T> : ICollectionFactory<T[], T>
    {
        /// <inheritdoc/>
        public static T[] Create(List<T> items) => [.. items];
    }

    /// <summary>A list, for the class and the interfaces that it implements.</summary>
    /// <typeparam name="TCollection">The list or one of its interfaces.</typeparam>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ListAs<TCollection, T> : ICollectionFactory<TCollection, T>
        where TCollection : class, IEnumerable<T>
    {
        /// <inheritdoc/>
        public static TCollection Create(List<T> items) => (TCollection)(object)items;
    }

    /// <summary>A hash set, for the class and the interfaces that it implements.</summary>
    /// <typeparam name="TCollection">The set or one of its interfaces.</typeparam>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct SetAs<TCollection, T> : ICollectionFactory<TCollection, T>
        where TCollection : class, IEnumerable<T>
    {
        /// <inheritdoc/>
        public static TCollection Create(List<T> items) => (TCollection)(object)new HashSet<T>(items);
    }

    /// <summary>An immutable array.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableArrayOf<T> : ICollectionFactory<ImmutableArray<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableArray<T> Create(List<T> items) => [.. items];
    }

    /// <summary>A collection of a custom type.</summary>
    /// <typeparam name="TCollection">The collection.</typeparam>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct Custom<TCollection, T> : ICollectionFactory<TCollection, T>
        where TCollection : ICollection<T>, new()
    {
        /// <inheritdoc/>
        public static TCollection Create(List<T> items)
        {
            var collection = new TCollection();
            foreach (var item in items)
                collection.Add(item);
            return collection;
        }
    }
}
