using System.Data.Common;
using Postrider.Flow;
using Postrider.Resilience;

namespace FlowGuide;

/// <summary>Writes orders in batches, each in a transaction on its own connection.</summary>
public sealed class OrderImport(DbDataSource database)
{
    /// <summary>Imports a stream of orders.</summary>
    /// <param name="orders">The orders.</param>
    /// <param name="ct">Ends the import; transactions that have begun are rolled back.</param>
    /// <returns>Rows written.</returns>
    public async Task<int> ImportAsync(IAsyncEnumerable<Order> orders, CancellationToken ct = default)
    {
        var options = new FlowOptions
        {
            // As many connections as the pool provides.
            MaxConcurrency = 8,
            Retry = new RetryPolicy { Handle = failure => failure is DbException { IsTransient: true } },
        };
        var written = 0;
        await foreach (var rows in orders.BatchParallelStreamAsync(500, WriteAsync, maxDelay: TimeSpan.FromMilliseconds(250), options, ct))
            written += rows;
        return written;
    }

    private async ValueTask<int> WriteAsync(Postrider.Flow.Sources.Batch<Order> batch, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        await using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = "insert into orders (id, customer, total) values (@id, @customer, @total)";
        var (id, customer, total) = (Parameter(command, "id"), Parameter(command, "customer"), Parameter(command, "total"));
        foreach (var order in batch)
        {
            (id.Value, customer.Value, total.Value) = (order.Id, order.Customer, order.Total);
            await command.ExecuteNonQueryAsync(ct);
        }
        await transaction.CommitAsync(ct);
        return batch.Count;
    }

    private static DbParameter Parameter(DbCommand command, string name)
    {
        var parameter = command.CreateParameter();
        parameter.ParameterName = name;
        command.Parameters.Add(parameter);
        return parameter;
    }
}
