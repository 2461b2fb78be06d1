using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;
using Postrider.Middleware;

namespace Postrider.Outbox.EntityFrameworkCore;

/// <summary>A scope's part of the outbox in its DbContext: messages are entities that SaveChanges writes with the others.</summary>
internal sealed class DbContextSession<TContext>(TContext context, OutboxStore store, OutboxSignal signal, TimeProvider time) : IOutboxSession, ITransactionSource, ISqlTransaction
    where TContext : DbContext
{
    private bool _listens;
    private bool _doomed;

    DbTransaction? ISqlTransaction.Current => context.Database.CurrentTransaction?.GetDbTransaction();

    public ValueTask AddAsync(OutboxMessage message, CancellationToken ct)
    {
        // The relay's statements need the names; a model without the tables is reported here.
        _ = store.Text;
        context.Add(message);
        if (!_listens)
            context.SavedChanges += OnSaved;
        _listens = true;
        return default;
    }

    public async ValueTask<bool> CancelAsync(string id, CancellationToken ct)
    {
        foreach (var entry in context.ChangeTracker.Entries<OutboxMessage>())
        {
            if (entry.State != EntityState.Added || entry.Entity.Id != id || entry.Entity.State != OutboxState.Scheduled)
                continue;
            entry.State = EntityState.Detached;
            return true;
        }

        return await context.Set<OutboxMessage>().Where(message => message.Id == id && message.State == OutboxState.Scheduled).ExecuteDeleteAsync(ct).ConfigureAwait(false) > 0;
    }

    public async ValueTask<bool> HandleOnceAsync(string consumer, string id, Func<CancellationToken, ValueTask> handle, CancellationToken ct)
    {
        var strategy = context.Database.CreateExecutionStrategy();
        var attempts = 0;
        return await strategy.ExecuteAsync(
            async ct =>
            {
                // The strategy repeats work that was rolled back with a lost connection.
                if (++attempts > 1)
                    context.ChangeTracker.Clear();
                // A part of the attempt before may have failed with it.
                _doomed = false;
                var transaction = await context.Database.BeginTransactionAsync(ct).ConfigureAwait(false);
                await using (transaction.ConfigureAwait(false))
                {
                    var now = time.GetUtcNow().ToUnixTimeMilliseconds();
                    var isFirst = await context.Database.GetDbConnection().ExecuteAsync(
                        transaction.GetDbTransaction(), store.Text.InsertHandled, [("consumer", consumer), ("id", id), ("now", now)], ct).ConfigureAwait(false) > 0;
                    if (!isFirst)
                        return false;
                    await handle(ct).ConfigureAwait(false);
                    await CommitAsync(transaction, ct).ConfigureAwait(false);
                    return true;
                }
            },
            ct).ConfigureAwait(false);
    }

    async ValueTask<ITransaction> ITransactionSource.Begin(CancellationToken ct)
        => new Part(this, context.Database.CurrentTransaction is null ? await context.Database.BeginTransactionAsync(ct).ConfigureAwait(false) : null);

    private async ValueTask CommitAsync(IDbContextTransaction transaction, CancellationToken ct)
    {
        if (_doomed)
            throw new PostriderException(PostriderError.Configuration, "A message that was handled within this transaction failed and rolled back: the rest cannot be committed.");
        await context.SaveChangesAsync(ct).ConfigureAwait(false);
        await transaction.CommitAsync(ct).ConfigureAwait(false);
        signal.Set();
    }

    private void OnSaved(object? sender, SavedChangesEventArgs saved)
    {
        // Written messages belong to the relay: the context need not keep the bodies, nor write them again.
        foreach (var entry in context.ChangeTracker.Entries<OutboxMessage>().ToList())
        {
            if (entry.State == EntityState.Unchanged)
                entry.State = EntityState.Detached;
        }

        // In a transaction of the application it is not committed yet; then the relay finds it with its next poll.
        signal.Set();
    }

    // The whole transaction, or a part of another one of the scope.
    private sealed class Part(DbContextSession<TContext> session, IDbContextTransaction? whole) : ITransaction
    {
        private bool _committed;

        public async ValueTask Commit(CancellationToken ct)
        {
            if (whole is not null)
                await session.CommitAsync(whole, ct).ConfigureAwait(false);
            _committed = true;
        }

        public async ValueTask DisposeAsync()
        {
            if (whole is not null)
                await whole.DisposeAsync().ConfigureAwait(false);
            session._doomed = whole is null && (session._doomed || !_committed);
        }
    }
}
