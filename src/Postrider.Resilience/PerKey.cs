using System.Collections.Concurrent;

namespace Postrider.Resilience;

/// <summary>One gate per key, made on first use: a breaker per host, a rate limit per tenant.</summary>
/// <typeparam name="TKey">The key; its equality decides.</typeparam>
/// <typeparam name="TGate">The gate.</typeparam>
/// <remarks>
/// Thread-safe. When more than the capacity of keys is held, gates that are in the state of a new one are dropped:
/// forgetting those loses nothing. Gates that remember something are kept, whatever their number.
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

    /// <summary>Makes an empty set of gates.</summary>
    /// <param name="create">Makes the gate of a key; may be called twice for a key when threads race, one is kept.</param>
    /// <param name="capacity">Keys to hold before idle ones are dropped.</param>
    /// <param name="comparer">How keys are compared.</param>
    public PerKey(Func<TKey, TGate> create, int capacity = 10_000, IEqualityComparer<TKey>? comparer = null)
    {
        ArgumentNullException.ThrowIfNull(create);
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        _create = create;
        _capacity = capacity;
        _trimAt = capacity;
        _gates = new ConcurrentDictionary<TKey, TGate>(comparer);
    }

    /// <summary>Keys held now.</summary>
    public int Count => _gates.Count;

    /// <summary>The gate of a key.</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="InvalidOperationException">What makes gates made none.</exception>
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
        // When nearly all gates are busy, wait for another quarter before walking them again.
        Volatile.Write(ref _trimAt, Math.Max(_capacity, Volatile.Read(ref _count) + (_capacity / 4)));
    }
}
