using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>The statements of SQLite.</summary>
internal sealed class SqliteText(OutboxTables tables) : SqlText(tables)
{
    internal override string CleanHandled { get; } =
        $"delete from {tables.InboxName} where rowid in (select rowid from {tables.InboxName} where handled_at < @before limit @max)";

    internal override string Promote { get; } =
        $"update {tables.OutboxName} set state = 0 where seq in (select seq from {tables.OutboxName} where transport = @transport and state = 1 and due_at <= @now order by due_at limit @max)";

    internal override string Defer { get; } =
        $"update {tables.OutboxName} set retry_at = @until where transport = @transport and destination = @destination and state = 0 and retry_at < @until";

    internal override string Schema { get; } = $"""
        create table if not exists {tables.OutboxName} (
          seq integer primary key autoincrement,
          id text not null unique,
          transport text not null,
          destination text not null,
          message_key text null,
          headers text not null,
          body blob not null,
          state integer not null,
          created_at integer not null,
          due_at integer not null,
          retry_at integer not null,
          attempts integer not null,
          error text null);
        create index if not exists {tables.Outbox}_ready on {tables.OutboxName} (transport, seq) where state = 0;
        create index if not exists {tables.Outbox}_keys on {tables.OutboxName} (transport, message_key, seq) where state = 0;
        create index if not exists {tables.Outbox}_due on {tables.OutboxName} (transport, due_at) where state = 1;
        create index if not exists {tables.Outbox}_dead on {tables.OutboxName} (seq) where state = 2;
        create table if not exists {tables.InboxName} (
          consumer text not null,
          id text not null,
          handled_at integer not null,
          primary key (consumer, id));
        create index if not exists {tables.Inbox}_handled on {tables.InboxName} (handled_at);
        create table if not exists {tables.SagaName} (
          name text not null,
          id text not null,
          version integer not null,
          data blob not null,
          expires_at integer not null,
          primary key (name, id));
        create index if not exists {tables.Saga}_expires on {tables.SagaName} (expires_at) where expires_at > 0;
        create table if not exists {tables.RelayName} (
          transport text not null primary key,
          owner text not null,
          until integer not null);
        """;

    internal override IReadOnlyList<string> Needed => [.. base.Needed, Tables.RelayName];

    // All errors in a statement have the same code, and this project has no reference to the provider.
    internal override bool IsMissing(DbException failure) => failure.Message.Contains("no such table", StringComparison.Ordinal);

    internal override bool IsRejected(DbException failure)
        => failure.Message.Contains("unable to open database file", StringComparison.Ordinal) || failure.Message.Contains("file is not a database", StringComparison.Ordinal);

    /// <summary>Whether there is work: without it no relay needs to write.</summary>
    internal string HasWork { get; } =
        $"select exists (select 1 from {tables.OutboxName} where transport = @transport and state = 0) or exists (select 1 from {tables.OutboxName} where transport = @transport and state = 1 and due_at <= @now)";

    /// <summary>Takes or keeps the lease; no row is changed if another relay has it. One that ends after @latest was taken by a clock that was
    /// wrong.</summary>
    internal string TakeLease { get; } =
        $"insert into {tables.RelayName} (transport, owner, until) values (@transport, @owner, @until) on conflict (transport) do update set owner = excluded.owner, until = excluded.until where {tables.Relay}.owner = excluded.owner or {tables.Relay}.until <= @now or {tables.Relay}.until > @latest";

    internal string EndLease { get; } = $"delete from {tables.RelayName} where transport = @transport and owner = @owner";

    /// <summary>Messages in their order, except those whose key waits for another attempt of an earlier one.</summary>
    /// <param name="behindDead">Whether those behind a dead letter of their key wait, too.</param>
    /// <param name="isProbe">Only the first and the last message of each destination among those that are the first of their key.</param>
    internal string Select(bool behindDead, bool isProbe) => $"""
        select {Columns} from {Tables.OutboxName} as o
        where transport = @transport and state = 0 and {IsDue("retry_at")}
          and (message_key is null or message_key not in
            (select h.message_key from {Tables.OutboxName} as h where h.transport = @transport and h.state = 0 and not {IsDue("h.retry_at")} and h.message_key is not null))
          {(behindDead ? $"and not exists (select 1 from {Tables.OutboxName} as d where d.state = 2 and d.transport = o.transport and d.message_key = o.message_key)" : "")}
          {(isProbe ? $"and seq in ({End("min")} union all {End("max")})" : "")}
        order by seq limit @max
        """;

    // Of each destination.
    private string End(string which) => $"""
        select {which}(p.seq) from {Tables.OutboxName} as p
        where p.transport = @transport and p.state = 0 and {IsDue("p.retry_at")}
          and (p.message_key is null or not exists (select 1 from {Tables.OutboxName} as e where e.transport = p.transport and e.state = 0 and e.message_key = p.message_key and e.seq < p.seq))
        group by p.destination
        """;
}
