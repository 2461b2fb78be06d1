using System.Collections.Concurrent;

namespace Postrider.Sagas;

/// <summary>Keeps sagas in memory, for tests.</summary>
/// <remarks>Thread-safe. Nothing outlives the process, and expired states are removed only when the same id is read again.</remarks>
/// <param name="time">The clock by which ended sagas expire; null for the system clock.</param>
public sealed class InMemorySagaStore(TimeProvider? time = null) : ISagaStore
{
    private readonly ConcurrentDictionary<(string Saga, string Id), StoredSaga> _states = new();
    private readonly TimeProvider _time = time ?? TimeProvider.System;

    /// <summary>The number of states, ended ones included.</summary>
    public int Count => _states.Count;

    /// <inheritdoc/>
    public ValueTask<StoredSaga?> LoadAsync(string saga, string id, CancellationToken ct)
    {
        if (!_states.TryGetValue((saga, id), out var found))
            return default;
        if (found.ExpiresAt > _time.GetUtcNow() || found.ExpiresAt is null)
            return new(found);
        _states.TryRemove(new((saga, id), found));
        return default;
    }

    /// <inheritdoc/>
    public ValueTask<long> SaveAsync(string saga, string id, StoredSaga state, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(state);
        var next = state with { Revision = state.Revision + 1, Data = state.Data.ToArray() };
        var isWritten = state.Revision == 0
            ? _states.TryAdd((saga, id), next)
            : _states.TryGetValue((saga, id), out var current) && current.Revision == state.Revision && _states.TryUpdate((saga, id), next, current);
        return new(isWritten ? next.Revision : 0);
    }
}
