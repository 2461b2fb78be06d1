using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Postrider.MessagePack.Formatters;

/// <summary>Makers of the platform's collections.</summary>
public static class Makers
{
    /// <summary>An array for <see cref="IEnumerable{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct Sequence<T> : ICollectionMaker<IEnumerable<T>, T>
    {
        /// <inheritdoc/>
        public static IEnumerable<T> Make(T[] items) => items;
    }

    /// <summary>An array for <see cref="IReadOnlyCollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlyCollectionOf<T> : ICollectionMaker<IReadOnlyCollection<T>, T>
    {
        /// <inheritdoc/>
        public static IReadOnlyCollection<T> Make(T[] items) => items;
    }

    /// <summary>An array for <see cref="IReadOnlyList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlyListOf<T> : ICollectionMaker<IReadOnlyList<T>, T>
    {
        /// <inheritdoc/>
        public static IReadOnlyList<T> Make(T[] items) => items;
    }

    /// <summary>A list for <see cref="ICollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct CollectionOf<T> : ICollectionMaker<ICollection<T>, T>
    {
        /// <inheritdoc/>
        public static ICollection<T> Make(T[] items) => items.ToList();
    }

    /// <summary>A list for <see cref="IList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct MutableList<T> : ICollectionMaker<IList<T>, T>
    {
        /// <inheritdoc/>
        public static IList<T> Make(T[] items) => items.ToList();
    }

    /// <summary>A hash set for <see cref="ISet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct Set<T> : ICollectionMaker<ISet<T>, T>
    {
        /// <inheritdoc/>
        public static ISet<T> Make(T[] items) => new HashSet<T>(items, KeyComparer<T>.Instance);
    }

    /// <summary>A hash set for <see cref="IReadOnlySet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlySetOf<T> : ICollectionMaker<IReadOnlySet<T>, T>
    {
        /// <inheritdoc/>
        public static IReadOnlySet<T> Make(T[] items) => new HashSet<T>(items, KeyComparer<T>.Instance);
    }

    /// <summary>A <see cref="SortedSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct SortedSetOf<T> : ICollectionMaker<SortedSet<T>, T>
    {
        /// <inheritdoc/>
        public static SortedSet<T> Make(T[] items) => new(items);
    }

    /// <summary>A <see cref="Queue{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct QueueOf<T> : ICollectionMaker<Queue<T>, T>
    {
        /// <inheritdoc/>
        public static Queue<T> Make(T[] items) => new(items);
    }

    /// <summary>A <see cref="LinkedList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct LinkedListOf<T> : ICollectionMaker<LinkedList<T>, T>
    {
        /// <inheritdoc/>
        public static LinkedList<T> Make(T[] items) => new(items);
    }

    /// <summary>A <see cref="ConcurrentQueue{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ConcurrentQueueOf<T> : ICollectionMaker<ConcurrentQueue<T>, T>
    {
        /// <inheritdoc/>
        public static ConcurrentQueue<T> Make(T[] items) => new(items);
    }

    /// <summary>A <see cref="ConcurrentBag{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ConcurrentBagOf<T> : ICollectionMaker<ConcurrentBag<T>, T>
    {
        /// <inheritdoc/>
        public static ConcurrentBag<T> Make(T[] items) => new(items);
    }

    /// <summary>An <see cref="ObservableCollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ObservableCollectionOf<T> : ICollectionMaker<ObservableCollection<T>, T>
    {
        /// <inheritdoc/>
        public static ObservableCollection<T> Make(T[] items) => new(items);
    }

    /// <summary>A <see cref="ReadOnlyCollection{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ReadOnlyWrapper<T> : ICollectionMaker<ReadOnlyCollection<T>, T>
    {
        /// <inheritdoc/>
        public static ReadOnlyCollection<T> Make(T[] items) => new(items);
    }

    /// <summary>An <see cref="ImmutableList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableListOf<T> : ICollectionMaker<ImmutableList<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableList<T> Make(T[] items) => ImmutableList.Create(items);
    }

    /// <summary>An immutable list for <see cref="IImmutableList{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct IImmutableListOf<T> : ICollectionMaker<IImmutableList<T>, T>
    {
        /// <inheritdoc/>
        public static IImmutableList<T> Make(T[] items) => ImmutableList.Create(items);
    }

    /// <summary>An <see cref="ImmutableHashSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableHashSetOf<T> : ICollectionMaker<ImmutableHashSet<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableHashSet<T> Make(T[] items) => ImmutableHashSet.Create(KeyComparer<T>.Instance, items);
    }

    /// <summary>An immutable hash set for <see cref="IImmutableSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct IImmutableSetOf<T> : ICollectionMaker<IImmutableSet<T>, T>
    {
        /// <inheritdoc/>
        public static IImmutableSet<T> Make(T[] items) => ImmutableHashSet.Create(KeyComparer<T>.Instance, items);
    }

    /// <summary>An <see cref="ImmutableSortedSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableSortedSetOf<T> : ICollectionMaker<ImmutableSortedSet<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableSortedSet<T> Make(T[] items) => ImmutableSortedSet.Create(items);
    }

    /// <summary>An <see cref="ImmutableQueue{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableQueueOf<T> : ICollectionMaker<ImmutableQueue<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableQueue<T> Make(T[] items) => ImmutableQueue.Create(items);
    }

    /// <summary>A <see cref="FrozenSet{T}"/>.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct FrozenSetOf<T> : ICollectionMaker<FrozenSet<T>, T>
    {
        /// <inheritdoc/>
        public static FrozenSet<T> Make(T[] items) => items.ToFrozenSet(KeyComparer<T>.Instance);
    }

    /// <summary>A <see cref="Stack{T}"/>, its top first on the wire.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct StackOf<T> : ICollectionMaker<Stack<T>, T>
    {
        /// <inheritdoc/>
        public static Stack<T> Make(T[] items) => new(Reversed(items));
    }

    /// <summary>A <see cref="ConcurrentStack{T}"/>, its top first on the wire.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ConcurrentStackOf<T> : ICollectionMaker<ConcurrentStack<T>, T>
    {
        /// <inheritdoc/>
        public static ConcurrentStack<T> Make(T[] items) => new(Reversed(items));
    }

    /// <summary>An <see cref="ImmutableStack{T}"/>, its top first on the wire.</summary>
    /// <typeparam name="T">The item.</typeparam>
    public readonly struct ImmutableStackOf<T> : ICollectionMaker<ImmutableStack<T>, T>
    {
        /// <inheritdoc/>
        public static ImmutableStack<T> Make(T[] items) => ImmutableStack.Create(Reversed(items));
    }

    private static T[] Reversed<T>(T[] items)
    {
        Array.Reverse(items);
        return items;
    }
}
