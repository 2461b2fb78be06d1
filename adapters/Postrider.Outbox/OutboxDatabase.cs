namespace Postrider.Outbox;

/// <summary>The databases that the outbox supports.</summary>
public enum OutboxDatabase
{
    /// <summary>SQLite 3.35 or newer. One process relays at a time.</summary>
    Sqlite,

    /// <summary>PostgreSQL 12 or newer. Any number of processes relay.</summary>
    PostgreSql,
}
