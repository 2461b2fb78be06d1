using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>Reports at the start errors that would keep every message in the outbox.</summary>
internal static class OutboxProbe
{
    /// <summary>Checks the tables in the database. A database that does not respond is not an error: the relays wait for it.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the database rejects the account, or a table is
    /// missing.</exception>
    internal static async ValueTask CheckAsync(OutboxStore store, CancellationToken ct)
    {
        try
        {
            var open = await store.OpenAsync(ct).ConfigureAwait(false);
            await using (open.ConfigureAwait(false))
            {
                foreach (var table in store.Text.Needed)
                    await CheckAsync(open.Connection, store, table, ct).ConfigureAwait(false);
            }
        }
        catch (DbException refused) when (store.Text.IsRejected(refused))
        {
            throw new PostriderException(
                PostriderError.Configuration,
                $"The outbox's database cannot be opened: {Reason(refused)}. Check database, user and password in the connection string of UseDataSource or UseDbContext.",
                refused);
        }
        catch (DbException)
        {
            // The relays log it, and retry until the database responds.
        }
    }

    private static async ValueTask CheckAsync(DbConnection connection, OutboxStore store, string table, CancellationToken ct)
    {
        try
        {
            _ = await connection.ScalarAsync(null, SqlText.Probe(table), [], ct).ConfigureAwait(false);
        }
        catch (DbException missing) when (store.Text.IsMissing(missing))
        {
            var advice = store.Text.IsForbidden(missing) ? "Allow its user to select, insert, update and delete rows of the outbox's tables." : store.HowToCreate;
            throw new PostriderException(PostriderError.Configuration, $"The outbox's table '{table}' cannot be used: {Reason(missing)}. {advice}", missing);
        }
    }

    // The other lines of PostgreSQL's message are about positions in the statement.
    private static string Reason(DbException failure) => failure.Message.ReplaceLineEndings("\n").Split('\n')[0].TrimEnd('.');
}
