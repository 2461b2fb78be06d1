using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Postrider.Middleware;

namespace Postrider.Outbox;

/// <summary>A scope's connection and transaction, which carry the application's rows and the outbox's.</summary>
/// <remarks>
/// Registered per scope by <c>UseDataSource</c>; handlers take it. Begin a transaction, or enlist your own; messages sent over an
/// outbox transport in the same scope are then written into it. The inbox has begun it before the handler is called, and commits it
/// afterwards. Also the scope's <see cref="ITransactionSource"/>: <see cref="ITransactional"/> messages begin and commit by themselves.
/// Not thread-safe, like the connection.
/// </remarks>
public sealed class OutboxSession : IOutboxSession, ITransactionSource, ISqlTransaction, IAsyncDisposable, IDisposable
{
    private readonly OutboxStore _store;
    private readonly OutboxSignal _signal;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _writing = new(1); // guards the connection between messages that one handler sends concurrently
    private OutboxConnection? _own;
    private DbConnection? _connection;
    private DbTransaction? _transaction;
    private bool _doomed;
    private bool _enlisted;
    private bool _wrote;

    internal OutboxSession(OutboxStore store, OutboxSignal signal, TimeProvider time) => (_store, _signal, _time) = (store, signal, time);

    /// <summary>Whether there is a transaction.</summary>
    public bool IsOpen => _transaction is not null;

    /// <summary>The connection of the transaction.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: there is no transaction.</exception>
    public DbConnection Connection => _transaction is null ? throw NoTransaction("The connection was requested") : _connection!;

    /// <summary>The transaction, for commands of the application.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: there is none.</exception>
    public DbTransaction Transaction => _transaction ?? throw NoTransaction("The transaction was requested");

    DbTransaction? ISqlTransaction.Current => _transaction;

    /// <summary>Begins a transaction.</summary>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>Completes when it has begun. Disposing the scope without <see cref="CommitAsync"/> rolls it back.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the scope has a transaction.</exception>
    /// <exception cref="DbException">The database cannot be reached.</exception>
    public async ValueTask BeginAsync(CancellationToken ct = default)
    {
        if (_transaction is not null && !_enlisted)
            ThrowOpen();
        _own ??= await _store.OpenAsync(ct).ConfigureAwait(false);
        _connection = _own.Connection;
        _transaction = await BeginAsync(_store, _connection, ct).ConfigureAwait(false);
        (_doomed, _wrote, _enlisted) = (false, false, false);
    }

    /// <summary>Uses a transaction that the caller has begun, and commits or rolls back itself, in place of one that was enlisted before. What
    /// it commits is sent within <see cref="OutboxOptions.PollInterval"/>.</summary>
    /// <param name="transaction">The transaction; its connection is open.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the scope has a transaction of its own, or this one has
    /// ended.</exception>
    public void Enlist(DbTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        // Whether a previously enlisted transaction has ended is only known to its owner.
        if (_transaction is not null && !_enlisted)
            ThrowOpen();
        _connection = transaction.Connection ?? throw new PostriderException(PostriderError.Configuration, "The transaction has ended: enlist it before it is committed or rolled back.");
        (_transaction, _enlisted, _doomed, _wrote) = (transaction, true, false, false);
    }

    /// <summary>Commits the transaction that <see cref="BeginAsync(CancellationToken)"/> began, and wakes the relay.</summary>
    /// <param name="ct">Cancels the commit.</param>
    /// <returns>Completes when everything is committed. After an exception the outcome is unknown.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: there is no transaction of the session's, or a part
    /// of it was rolled back.</exception>
    public async ValueTask CommitAsync(CancellationToken ct = default)
    {
        if (_transaction is null)
            throw NoTransaction("A commit was requested");
        if (_enlisted)
            throw new PostriderException(PostriderError.Configuration, "The transaction was enlisted: the code that began it must commit it.");
        if (_doomed)
            throw new PostriderException(PostriderError.Configuration, "A message that was handled within this transaction failed and rolled back: the rest cannot be committed.");
        await _transaction.CommitAsync(ct).ConfigureAwait(false);
        await EndAsync().ConfigureAwait(false);
        if (_wrote)
            _signal.Set();
    }

    /// <summary>Rolls back the transaction that <see cref="BeginAsync(CancellationToken)"/> began; its messages are not sent. Does nothing without one.</summary>
    /// <returns>Completes when it has been rolled back.</returns>
    public async ValueTask RollbackAsync()
    {
        if (_transaction is null || _enlisted)
            return;
        // Disposing rolls back, and does not fail if the connection is lost.
        await EndAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask AddAsync(OutboxMessage message, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (_transaction is null)
            throw NoTransaction($"A message was sent to '{message.Destination}'");
        await _writing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            await _connection!.InsertAsync(_transaction, _store.Text, message, ct).ConfigureAwait(false);
            _wrote = true;
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> CancelAsync(string id, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(id);
        if (_transaction is not null)
            return await _connection!.ExecuteAsync(_transaction, _store.Text.Cancel, [("id", id)], ct).ConfigureAwait(false) > 0;
        var open = await _store.OpenAsync(ct).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
            return await open.Connection.ExecuteAsync(null, _store.Text.Cancel, [("id", id)], ct).ConfigureAwait(false) > 0;
    }

    /// <inheritdoc/>
    public async ValueTask<bool> HandleOnceAsync(string consumer, string id, Func<CancellationToken, ValueTask> handle, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(handle);
        await BeginAsync(ct).ConfigureAwait(false);
        try
        {
            var now = _time.GetUtcNow().ToUnixTimeMilliseconds();
            var isFirst = await _connection!.ExecuteAsync(_transaction, _store.Text.InsertHandled, [("consumer", consumer), ("id", id), ("now", now)], ct).ConfigureAwait(false) > 0;
            if (isFirst)
            {
                await handle(ct).ConfigureAwait(false);
                await CommitAsync(ct).ConfigureAwait(false);
            }

            return isFirst;
        }
        finally
        {
            await RollbackAsync().ConfigureAwait(false);
        }
    }

    async ValueTask<ITransaction> ITransactionSource.Begin(CancellationToken ct)
    {
        if (_transaction is null)
        {
            await BeginAsync(ct).ConfigureAwait(false);
            return new Whole(this);
        }

        return new Part(this);
    }

    /// <summary>Rolls back what was not committed and returns the connection.</summary>
    /// <returns>Completes when the connection is returned.</returns>
    public async ValueTask DisposeAsync()
    {
        await RollbackAsync().ConfigureAwait(false);
        if (_own is not null)
            await _own.DisposeAsync().ConfigureAwait(false);
        _own = null;
        _writing.Dispose();
    }

    /// <summary>Rolls back what was not committed and returns the connection, in a scope that is disposed synchronously.</summary>
    public void Dispose()
    {
        if (!_enlisted)
            _transaction?.Dispose();
        _transaction = null;
        _own?.Dispose();
        _own = null;
        _writing.Dispose();
    }

    /// <summary>Begins a transaction in which a statement sees data committed before the statement.</summary>
    internal static ValueTask<DbTransaction> BeginAsync(OutboxStore store, DbConnection connection, CancellationToken ct)
        // SQLite's driver begins a serializable one as a writer: it waits for its turn now instead of in the middle.
        => connection.BeginTransactionAsync(store.Text is SqliteText ? IsolationLevel.Serializable : IsolationLevel.ReadCommitted, ct);

    private async ValueTask EndAsync()
    {
        var ended = _transaction;
        _transaction = null;
        if (ended is not null)
            await ended.DisposeAsync().ConfigureAwait(false);
    }

    [DoesNotReturn]
    private static void ThrowOpen()
        => throw new PostriderException(PostriderError.Configuration, "The scope already has a transaction: commit or roll back the first one, or use another scope.");

    private static PostriderException NoTransaction(string what)
        => new(PostriderError.Configuration, $"{what}, and the scope has no transaction: call OutboxSession.BeginAsync or Enlist first, implement ITransactional, or handle the message with UseInbox.");

    private sealed class Whole(OutboxSession session) : ITransaction
    {
        public ValueTask Commit(CancellationToken ct) => session.CommitAsync(ct);

        public ValueTask DisposeAsync() => session.RollbackAsync();
    }

    // Within another transaction of the scope: that one commits, unless this part failed.
    private sealed class Part(OutboxSession session) : ITransaction
    {
        private bool _committed;
        private bool _disposed;

        public ValueTask Commit(CancellationToken ct)
        {
            _committed = true;
            return default;
        }

        public ValueTask DisposeAsync()
        {
            if (!_disposed)
            {
                session._doomed |= !_committed;
            }

            _disposed = true;
            return default;
        }
    }
}
