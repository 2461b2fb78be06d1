using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;

namespace Postrider.Generators;

/// <summary>An array that is compared by its items, so that a step with an unchanged result ends the generator's work.</summary>
/// <typeparam name="T">An equatable item.</typeparam>
internal readonly struct EquatableArray<T>(IEnumerable<T> items) : IEquatable<EquatableArray<T>>, IEnumerable<T>
    where T : IEquatable<T>
{
    private readonly T[]? _items = items.ToArray();

    internal int Count => _items?.Length ?? 0;

    internal T this[int index] => _items is null ? throw new ArgumentOutOfRangeException(nameof(index)) : _items[index];

    public bool Equals(EquatableArray<T> other) => this.AsEnumerable().SequenceEqual(other);

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode()
    {
        var hash = 17;
        foreach (var item in this)
            hash = unchecked((hash * 31) + item.GetHashCode());
        return hash;
    }

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)(_items ?? [])).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
