using System.Data.Common;
using Postrider.Middleware;
using Postrider.Sagas;

namespace Postrider.Outbox;

/// <summary>Keeps sagas as rows, in the transaction of the scope into which their messages are written.</summary>
internal sealed class SqlSagaStore(IOutboxSession session, OutboxStore store, TimeProvider time) : ISagaStore
{
    public ITransactionSource Transactions { get; } = session as ITransactionSource
        ?? throw new PostriderException(PostriderError.Configuration, $"{session.GetType()} is not an ITransactionSource, which sagas need: call UseDataSource or UseDbContext after AddPostriderOutbox.");

    private DbTransaction? Transaction => (session as ISqlTransaction)?.Current;

    public async ValueTask<StoredSaga?> LoadAsync(string saga, string id, CancellationToken ct)
    {
        if (Transaction is { } transaction)
            return await LoadAsync(transaction.Connection!, transaction, saga, id, ct).ConfigureAwait(false);
        var open = await store.OpenAsync(ct).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
            return await LoadAsync(open.Connection, null, saga, id, ct).ConfigureAwait(false);
    }

    public async ValueTask<long> SaveAsync(string saga, string id, StoredSaga state, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(state);
        var transaction = Transaction ?? throw new PostriderException(PostriderError.Configuration, $"The saga '{saga}' is stored without a transaction: begin one with ISagaStore.Transactions.");
        var next = state.Revision + 1;
        var changed = await transaction.Connection!.ExecuteAsync(
            transaction,
            state.Revision == 0 ? store.Text.InsertSaga : store.Text.UpdateSaga,
            [("name", saga), ("id", MessageText.Checked("Saga id", id, MessageText.MaxIdChars)), ("version", state.Revision), ("next", next), ("data", state.Data.ToArray()), ("expires", state.ExpiresAt?.ToUnixTimeMilliseconds() ?? 0)],
            ct).ConfigureAwait(false);
        return changed > 0 ? next : 0;
    }

    private async ValueTask<StoredSaga?> LoadAsync(DbConnection connection, DbTransaction? transaction, string saga, string id, CancellationToken ct)
    {
        StoredSaga found;
        var command = connection.Command(transaction, store.Text.LoadSaga, [("name", saga), ("id", id)]);
        await using (command.ConfigureAwait(false))
        {
            var reader = await command.ExecuteReaderAsync(ct).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                if (!await reader.ReadAsync(ct).ConfigureAwait(false))
                    return null;
                var expires = reader.GetInt64(2);
                found = new StoredSaga(reader.GetInt64(0), reader.GetFieldValue<byte[]>(1)) { ExpiresAt = expires == 0 ? null : DateTimeOffset.FromUnixTimeMilliseconds(expires) };
            }
        }

        if (found.ExpiresAt is null || found.ExpiresAt > time.GetUtcNow())
            return found;
        // The cleanup has not removed the row yet, and a new saga may use the id.
        if (transaction is not null)
            await connection.ExecuteAsync(transaction, store.Text.DeleteSaga, [("name", saga), ("id", id), ("version", found.Revision)], ct).ConfigureAwait(false);
        return null;
    }
}
