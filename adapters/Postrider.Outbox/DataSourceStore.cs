using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>A database behind ADO.NET.</summary>
internal sealed class DataSourceStore(DbDataSource source, OutboxDatabase database, OutboxOptions options) : OutboxStore
{
    internal override SqlText Text { get; } = SqlText.For(database, options.Tables);

    internal override async ValueTask<OutboxConnection> OpenAsync(CancellationToken ct)
    {
        var connection = await source.OpenConnectionAsync(ct).ConfigureAwait(false);
        return new OutboxConnection(connection, connection);
    }
}
