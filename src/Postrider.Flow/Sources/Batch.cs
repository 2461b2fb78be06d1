using System.Collections;

namespace Postrider.Flow.Sources;

/// <summary>Consecutive items without a copy: a part of the source's array, or of a pooled one.</summary>
/// <typeparam name="T">The items.</typeparam>
/// <remarks>Valid until the body that received it has ended; then a pooled array is reused for the next batch. Keep the items, or the
/// result of <see cref="ToArray"/>, not the batch.</remarks>
public readonly struct Batch<T> : IReadOnlyList<T>, IEquatable<Batch<T>>
{
    private readonly T[] _items;
    private readonly int _offset;

    internal Batch(T[] items, int offset, int count, bool isPooled)
    {
        _items = items;
        _offset = offset;
        Count = count;
        IsPooled = isPooled;
    }

    /// <summary>Number of items in the batch; only the last batch, and one that was sent early, may have fewer than the batch size.</summary>
    public int Count { get; }

    /// <summary>The items as memory.</summary>
    public ReadOnlyMemory<T> Memory => new(_items, _offset, Count);

    /// <summary>The items as a span.</summary>
    public ReadOnlySpan<T> Span => new(_items, _offset, Count);

    internal bool IsPooled { get; }

    internal T[] Array => _items;

    /// <summary>Gets an item.</summary>
    /// <param name="index">Its index in the batch.</param>
    public T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return _items[_offset + index];
        }
    }

    /// <summary>A copy that stays valid.</summary>
    public T[] ToArray() => Span.ToArray();

    /// <summary>Enumerates the items without allocating.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>True when both are the same part of the same array.</summary>
    /// <param name="other">The other batch.</param>
    public bool Equals(Batch<T> other) => ReferenceEquals(_items, other._items) && _offset == other._offset && Count == other.Count;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Batch<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_items, _offset, Count);

    /// <summary>True when both are the same part of the same array.</summary>
    public static bool operator ==(Batch<T> left, Batch<T> right) => left.Equals(right);

    /// <summary>True when they are different parts.</summary>
    public static bool operator !=(Batch<T> left, Batch<T> right) => !left.Equals(right);

    IEnumerator<T> IEnumerable<T>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Enumerates a batch.</summary>
    public struct Enumerator : IEnumerator<T>
    {
        private readonly Batch<T> _batch;
        private int _at;

        internal Enumerator(Batch<T> batch)
        {
            _batch = batch;
            _at = -1;
        }

        /// <inheritdoc/>
        public readonly T Current => _batch._items[_batch._offset + _at];

        readonly object? IEnumerator.Current => Current;

        /// <inheritdoc/>
        public bool MoveNext() => ++_at < _batch.Count;

        /// <inheritdoc/>
        public void Reset() => _at = -1;

        /// <inheritdoc/>
        public readonly void Dispose()
        {
        }
    }
}
