using Postrider.Middleware;

namespace Postrider.Sagas;

/// <summary>Keeps the states of sagas.</summary>
/// <remarks>Resolved from the scope of the message. A store that is registered as a singleton is thread-safe.</remarks>
public interface ISagaStore
{
    /// <summary>The transactions of the scope, if the store writes into them: then a saga's messages must be routed through an outbox, which
    /// writes them into the same transaction. Null, the default, for a store whose every write is a commit: then the messages are stored with
    /// the state and sent after that.</summary>
    ITransactionSource? Transactions => null;

    /// <summary>Reads a state.</summary>
    /// <param name="saga">The name of the saga.</param>
    /// <param name="id">Its id, at most 200 characters.</param>
    /// <param name="ct">Cancels the read.</param>
    /// <returns>The state with its revision; null if there is none.</returns>
    ValueTask<StoredSaga?> LoadAsync(string saga, string id, CancellationToken ct);

    /// <summary>Writes a state if the stored one has the expected revision.</summary>
    /// <param name="saga">The name of the saga.</param>
    /// <param name="id">Its id.</param>
    /// <param name="state">The new bytes, with the revision that was read; 0 if there was no state.</param>
    /// <param name="ct">Cancels the write; the state may have been written.</param>
    /// <returns>The new revision, greater than 0; 0 if another one was stored in between; then nothing was written.</returns>
    ValueTask<long> SaveAsync(string saga, string id, StoredSaga state, CancellationToken ct);
}
