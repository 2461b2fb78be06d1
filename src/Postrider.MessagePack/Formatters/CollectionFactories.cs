using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Postrider.MessagePack.Formatters;

/// <summary>Factories of .NET's collections.</summary>
public static class CollectionFactories
{
    /// <summary>An array for <see cref="IEnumerable{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct Sequence<T> : ICollectionFactory<IEnumerable<T>, T>
    {
        /// <inheritdoc/>
        public static IEnumerable<T> Create(T[] items) => items;
    }

    /// <summary>An array for <see cref="IReadOnlyCollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlyCollectionOf<T> : ICollectionFactory<IReadOnlyCollection<T>, T>
    {
        /// <inheritdoc/>
        public static IReadOnlyCollection<T> Create(T[] items) => items;
    }

    /// <summary>An array for <see cref="IReadOnlyList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlyListOf<T> : ICollectionFactory<IReadOnlyList<T>, T>
    {
        /// <inheritdoc/>
        public static IReadOnlyList<T> Create(T[] items) => items;
    }

    /// <summary>A list for <see cref="ICollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct CollectionOf<T> : ICollectionFactory<ICollection<T>, T>
    {
        /// <inheritdoc/>
        public static ICollection<T> Create(T[] items) => items.ToList();
    }

    /// <summary>A list for <see cref="IList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct MutableList<T> : ICollectionFactory<IList<T>, T>
    {
        /// <inheritdoc/>
        public static IList<T> Create(T[] items) => items.ToList();
    }

    /// <summary>A hash set for <see cref="ISet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct Set<T> : ICollectionFactory<ISet<T>, T>
    {
        /// <inheritdoc/>
        public static ISet<T> Create(T[] items) => new HashSet<T>(items, KeyComparer<T>.Instance);
    }

    /// <summary>A hash set for <see cref="IReadOnlySet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlySetOf<T> : ICollectionFactory<IReadOnlySet<T>, T>
    {
        /// <inheritdoc/>
        public static IReadOnlySet<T> Create(T[] items) => new HashSet<T>(items, KeyComparer<T>.Instance);
    }

    /// <summary>A <see cref="SortedSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct SortedSetOf<T> : ICollectionFactory<SortedSet<T>, T>
    {
        /// <inheritdoc/>
        public static SortedSet<T> Create(T[] items) => new(items);
    }

    /// <summary>A <see cref="Queue{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct QueueOf<T> : ICollectionFactory<Queue<T>, T>
    {
        /// <inheritdoc/>
        public static Queue<T> Create(T[] items) => new(items);
    }

    /// <summary>A <see cref="LinkedList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct LinkedListOf<T> : ICollectionFactory<LinkedList<T>, T>
    {
        /// <inheritdoc/>
        public static LinkedList<T> Create(T[] items) => new(items);
    }

    /// <summary>A <see cref="ConcurrentQueue{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ConcurrentQueueOf<T> : ICollectionFactory<ConcurrentQueue<T>, T>
    {
        /// <inheritdoc/>
        public static ConcurrentQueue<T> Create(T[] items) => new(items);
    }

    /// <summary>A <see cref="ConcurrentBag{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ConcurrentBagOf<T> : ICollectionFactory<ConcurrentBag<T>, T>
    {
        /// <inheritdoc/>
        public static ConcurrentBag<T> Create(T[] items) => new(items);
    }

    /// <summary>An <see cref="ObservableCollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ObservableCollectionOf<T> : ICollectionFactory<ObservableCollection<T>, T>
    {
        /// <inheritdoc/>
        public static ObservableCollection<T> Create(T[] items) => new(items);
    }

    /// <summary>A <see cref="ReadOnlyCollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlyWrapper<T> : ICollectionFactory<ReadOnlyCollection<T>, T>
    {
        /// <inheritdoc/>
        public static ReadOnlyCollection<T> Create(T[] items) => new(items);
    }

    /// <summary>An <see cref="ImmutableList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableListOf<T> : ICollectionFactory<ImmutableList<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableList<T> Create(T[] items) => ImmutableList.Create(items);
    }

    /// <summary>An immutable list for <see cref="IImmutableList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct IImmutableListOf<T> : ICollectionFactory<IImmutableList<T>, T>
    {
        /// <inheritdoc/>
        public static IImmutableList<T> Create(T[] items) => ImmutableList.Create(items);
    }

    /// <summary>An <see cref="ImmutableHashSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableHashSetOf<T> : ICollectionFactory<ImmutableHashSet<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableHashSet<T> Create(T[] items) => ImmutableHashSet.Create(KeyComparer<T>.Instance, items);
    }

    /// <summary>An immutable hash set for <see cref="IImmutableSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct IImmutableSetOf<T> : ICollectionFactory<IImmutableSet<T>, T>
    {
        /// <inheritdoc/>
        public static IImmutableSet<T> Create(T[] items) => ImmutableHashSet.Create(KeyComparer<T>.Instance, items);
    }

    /// <summary>An <see cref="ImmutableSortedSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableSortedSetOf<T> : ICollectionFactory<ImmutableSortedSet<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableSortedSet<T> Create(T[] items) => ImmutableSortedSet.Create(items);
    }

    /// <summary>An <see cref="ImmutableQueue{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableQueueOf<T> : ICollectionFactory<ImmutableQueue<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableQueue<T> Create(T[] items) => ImmutableQueue.Create(items);
    }

    /// <summary>A <see cref="FrozenSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct FrozenSetOf<T> : ICollectionFactory<FrozenSet<T>, T>
    {
        /// <inheritdoc/>
        public static FrozenSet<T> Create(T[] items) => items.ToFrozenSet(KeyComparer<T>.Instance);
    }

    /// <summary>A <see cref="Stack{T}"/>, its top first on the wire.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct StackOf<T> : ICollectionFactory<Stack<T>, T>
    {
        /// <inheritdoc/>
        public static Stack<T> Create(T[] items) => new(Reversed(items));
    }

    /// <summary>A <see cref="ConcurrentStack{T}"/>, its top first on the wire.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ConcurrentStackOf<T> : ICollectionFactory<ConcurrentStack<T>, T>
    {
        /// <inheritdoc/>
        public static ConcurrentStack<T> Create(T[] items) => new(Reversed(items));
    }

    /// <summary>An <see cref="ImmutableStack{T}"/>, its top first on the wire.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableStackOf<T> : ICollectionFactory<ImmutableStack<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableStack<T> Create(T[] items) => ImmutableStack.Create(Reversed(items));
    }

    private static T[] Reversed<T>(T[] items)
    {
        Array.Reverse(items);
        return items;
    }
}
