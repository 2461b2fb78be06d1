using System.Collections.Concurrent;

namespace Postrider.Resilience;

/// <summary>One gate per key, created on first use: a breaker per host, a rate limit per tenant.</summary>
/// <typeparam name="TKey">Type of the key.</typeparam>
/// <typeparam name="TGate">Type of the gate.</typeparam>
/// <remarks>
/// Thread-safe. If there are more keys than the capacity, gates in their initial state are removed, which loses nothing. Gates with a
/// state are kept, whatever their number.
/// </remarks>
public sealed class PerKey<TKey, TGate>
    where TKey : notnull
    where TGate : class
{
    private readonly ConcurrentDictionary<TKey, TGate> _gates;
    private readonly Func<TKey, TGate> _create;
    private readonly int _capacity;
    private int _count;
    private int _trimAt;

    /// <summary>Creates an empty set of gates.</summary>
    /// <param name="create">Creates the gate of a key; when threads race it may be called twice for a key, and one gate is kept.</param>
    /// <param name="capacity">Number of keys to hold before idle ones are removed.</param>
    /// <param name="comparer">Compares keys.</param>
    public PerKey(Func<TKey, TGate> create, int capacity = 10_000, IEqualityComparer<TKey>? comparer = null)
    {
        ArgumentNullException.ThrowIfNull(create);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        _create = create;
        _capacity = capacity;
        _trimAt = capacity;
        _gates = new ConcurrentDictionary<TKey, TGate>(comparer);
    }

    /// <summary>Number of stored keys.</summary>
    public int Count => _gates.Count;

    /// <summary>Gets the gate of a key.</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="InvalidOperationException">The factory returned null.</exception>
    public TGate For(TKey key)
    {
        if (_gates.TryGetValue(key, out var gate))
            return gate;
        var made = _create(key) ?? throw new InvalidOperationException($"The gate created for the key {key} is null; for an item without a gate the selector must return null.");
        gate = _gates.GetOrAdd(key, made);
        if (ReferenceEquals(gate, made) && Interlocked.Increment(ref _count) > Volatile.Read(ref _trimAt))
            Trim();
        return gate;
    }

    private void Trim()
    {
        foreach (var pair in _gates)
        {
            if (pair.Value is IIdleGate { IsIdle: true } && _gates.TryRemove(pair))
                Interlocked.Decrement(ref _count);
        }
        // If nearly all gates are busy, waits for another quarter of keys before searching them again.
        Volatile.Write(ref _trimAt, Math.Max(_capacity, Volatile.Read(ref _count) + (_capacity / 4)));
    }
}
