using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>The tables, for applications that do not have Entity Framework Core's migrations.</summary>
public static class OutboxSchema
{
    /// <summary>The statements that create missing tables and indexes.</summary>
    /// <param name="database">The database.</param>
    /// <param name="tables">Their names; null for the defaults.</param>
    /// <returns>SQL, its statements separated by semicolons, for a migration tool.</returns>
    public static string Script(OutboxDatabase database, OutboxTables? tables = null) => SqlText.For(database, tables ?? new()).Schema;

    /// <summary>Creates the tables and indexes that are missing.</summary>
    /// <param name="source">The database.</param>
    /// <param name="database">Its kind.</param>
    /// <param name="tables">Their names; null for the defaults.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>Completes when they are there.</returns>
    /// <exception cref="DbException">The account may not create them.</exception>
    public static async ValueTask CreateAsync(DbDataSource source, OutboxDatabase database, OutboxTables? tables = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        var connection = await source.OpenConnectionAsync(ct).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
            await connection.ExecuteAsync(null, Script(database, tables), [], ct).ConfigureAwait(false);
    }

    /// <summary>The statements that make PostgreSQL notify the processes that listen (<c>WakeByNotifications</c> of
    /// Postrider.Outbox.PostgreSql) of committed messages: a function and a trigger of the outbox's table, replaced if they are there.</summary>
    /// <param name="tables">The names of the tables; null for the defaults.</param>
    /// <returns>SQL, its statements separated by semicolons, for a migration tool.</returns>
    public static string NotificationScript(OutboxTables? tables = null) => new PostgreSqlText(tables ?? new()).Notifications;

    /// <summary>Creates the function and the trigger of <see cref="NotificationScript"/>.</summary>
    /// <param name="source">A PostgreSQL database with the tables.</param>
    /// <param name="tables">Their names; null for the defaults.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>Completes when they are there.</returns>
    /// <exception cref="DbException">The account may not create them, or the table is missing.</exception>
    public static async ValueTask CreateNotificationsAsync(DbDataSource source, OutboxTables? tables = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        var connection = await source.OpenConnectionAsync(ct).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
            await connection.ExecuteAsync(null, NotificationScript(tables), [], ct).ConfigureAwait(false);
    }
}
