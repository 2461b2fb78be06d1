using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>The statements common to both databases, and those specific to each.</summary>
/// <remarks>Immutable. Names are checked by <see cref="OutboxTables"/>; values are parameters.</remarks>
internal abstract class SqlText(OutboxTables tables)
{
    protected const string Columns = "seq, id, transport, destination, message_key, headers, body, state, created_at, due_at, retry_at, attempts, error";

    internal OutboxTables Tables => tables;

    internal string InsertMessage { get; } =
        $"insert into {tables.OutboxName} (id, transport, destination, message_key, headers, body, state, created_at, due_at, retry_at, attempts) values (@id, @transport, @destination, @key, @headers, @body, @state, @created, @due, 0, 0)";

    internal string InsertHandled { get; } =
        $"insert into {tables.InboxName} (consumer, id, handled_at) values (@consumer, @id, @now) on conflict (consumer, id) do nothing";

    internal string LoadSaga { get; } = $"select version, data, expires_at from {tables.SagaName} where name = @name and id = @id";

    internal string InsertSaga { get; } =
        $"insert into {tables.SagaName} (name, id, version, data, expires_at) values (@name, @id, @next, @data, @expires) on conflict (name, id) do nothing";

    internal string UpdateSaga { get; } =
        $"update {tables.SagaName} set version = @next, data = @data, expires_at = @expires where name = @name and id = @id and version = @version";

    internal string DeleteSaga { get; } = $"delete from {tables.SagaName} where name = @name and id = @id and version = @version";

    internal string CleanSagas { get; } = $"delete from {tables.SagaName} where expires_at > 0 and expires_at < @before";

    internal string Cancel { get; } = $"delete from {tables.OutboxName} where id = @id and state = 1";

    internal string NextDue { get; } = $"select min(due_at) from {tables.OutboxName} where transport = @transport and state = 1";

    internal string Fail { get; } =
        $"update {tables.OutboxName} set attempts = attempts + 1, retry_at = @retry, state = @state, error = @error where seq = @seq and state = 0";

    internal string ListDead { get; } = $"select {Columns} from {tables.OutboxName} where state = 2 and seq > @after order by seq limit @max";

    internal string RedriveDead { get; } = $"update {tables.OutboxName} set state = 0, attempts = 0, retry_at = 0, error = null where seq = @seq and state = 2";

    internal string PurgeDead { get; } = $"delete from {tables.OutboxName} where seq = @seq and state = 2";

    internal string CleanDead { get; } = $"delete from {tables.OutboxName} where state = 2 and retry_at < @before";

    internal string Count { get; } =
        $"select state, count(*), min(case when due_at > created_at then due_at else created_at end) from {tables.OutboxName} group by state";

    /// <summary>Removes at most @max rows of the inbox that are older than @before.</summary>
    internal abstract string CleanHandled { get; }

    /// <summary>The tables that a process with a relay needs.</summary>
    internal virtual IReadOnlyList<string> Needed => [tables.OutboxName, tables.InboxName, tables.SagaName];

    /// <summary>Creates missing tables and indexes; statements are separated by semicolons.</summary>
    internal abstract string Schema { get; }

    /// <summary>Lets the ready messages of @transport to @destination wait until @until.</summary>
    internal abstract string Defer { get; }

    /// <summary>Makes scheduled messages of @transport that are due at @now ready.</summary>
    internal abstract string Promote { get; }

    /// <summary>Whether a statement failed because a table or column is missing, is a different one, or may not be used.</summary>
    internal abstract bool IsMissing(DbException failure);

    /// <summary>Whether the account has no right to a table.</summary>
    internal virtual bool IsForbidden(DbException failure) => false;

    /// <summary>Whether a connection failed because of its connection string.</summary>
    internal abstract bool IsRejected(DbException failure);

    // A time after @latest was set by a clock that was wrong.
    protected static string IsDue(string retryAt) => $"({retryAt} <= @now or {retryAt} > @latest)";

    internal static string Probe(string table) => $"select 1 from {table} where 1 = 0";

    internal string DeleteSent(IReadOnlyList<long> sequences) => $"delete from {tables.OutboxName} where seq in ({string.Join(',', sequences)})";

    internal static SqlText For(OutboxDatabase database, OutboxTables tables)
        => database switch
        {
            OutboxDatabase.PostgreSql => new PostgreSqlText(tables),
            OutboxDatabase.Sqlite when tables.Schema is null => new SqliteText(tables),
            OutboxDatabase.Sqlite => throw new PostriderException(PostriderError.Configuration, $"OutboxTables.Schema is '{tables.Schema}', and SQLite has no schemas: leave it null."),
            _ => throw new PostriderException(PostriderError.Configuration, $"{database} is not an OutboxDatabase. Supported: {string.Join(", ", Enum.GetNames<OutboxDatabase>())}."),
        };
}
