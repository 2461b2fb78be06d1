using System.Data;
using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>Commands with their parameters, over any provider.</summary>
internal static class SqlCommands
{
    internal static DbCommand Command(this DbConnection connection, DbTransaction? transaction, string text, params ReadOnlySpan<(string Name, object? Value)> parameters)
    {
        var command = connection.CreateCommand();
#pragma warning disable CA2100 // The texts are constants with checked names of tables; values are parameters.
        command.CommandText = text;
#pragma warning restore CA2100
        command.Transaction = transaction;
        foreach (var (name, value) in parameters)
        {
            var parameter = command.CreateParameter();
            parameter.ParameterName = name;
            parameter.Value = value ?? DBNull.Value;
            parameter.DbType = value switch
            {
                long => DbType.Int64,
                int => DbType.Int32,
                byte[] => DbType.Binary,
                _ => DbType.String,
            };
            command.Parameters.Add(parameter);
        }

        return command;
    }

    internal static async ValueTask<int> ExecuteAsync(this DbConnection connection, DbTransaction? transaction, string text, (string Name, object? Value)[] parameters, CancellationToken ct)
    {
        var command = connection.Command(transaction, text, parameters);
        await using (command.ConfigureAwait(false))
            return await command.ExecuteNonQueryAsync(ct).ConfigureAwait(false);
    }

    internal static async ValueTask<object?> ScalarAsync(this DbConnection connection, DbTransaction? transaction, string text, (string Name, object? Value)[] parameters, CancellationToken ct)
    {
        var command = connection.Command(transaction, text, parameters);
        await using (command.ConfigureAwait(false))
            return await command.ExecuteScalarAsync(ct).ConfigureAwait(false) is { } value and not DBNull ? value : null;
    }

    internal static ValueTask<int> InsertAsync(this DbConnection connection, DbTransaction? transaction, SqlText text, OutboxMessage message, CancellationToken ct)
        => connection.ExecuteAsync(
            transaction,
            text.InsertMessage,
            [
                ("id", message.Id), ("transport", message.Transport), ("destination", message.Destination), ("key", message.Key), ("headers", message.Headers),
                ("body", message.Body), ("state", (int)message.State), ("created", message.CreatedAt), ("due", message.DueAt),
            ],
            ct);

    /// <summary>Reads rows until there are no more or their bodies reach the limit; at least one.</summary>
    internal static async ValueTask<List<OutboxMessage>> ReadMessagesAsync(this DbCommand command, int maxBytes, CancellationToken ct)
    {
        var messages = new List<OutboxMessage>();
        var bytes = 0L;
        var reader = await command.ExecuteReaderAsync(ct).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            while (bytes < maxBytes && await reader.ReadAsync(ct).ConfigureAwait(false))
            {
                var message = Read(reader);
                bytes += message.Body.Length;
                messages.Add(message);
            }
        }

        return messages;
    }

    private static OutboxMessage Read(DbDataReader row) => new()
    {
        Sequence = row.GetInt64(0),
        Id = row.GetString(1),
        Transport = row.GetString(2),
        Destination = row.GetString(3),
        Key = row.IsDBNull(4) ? null : row.GetString(4),
        Headers = row.GetString(5),
        Body = row.GetFieldValue<byte[]>(6),
        State = (OutboxState)row.GetInt32(7),
        CreatedAt = row.GetInt64(8),
        DueAt = row.GetInt64(9),
        RetryAt = row.GetInt64(10),
        Attempts = row.GetInt32(11),
        Error = row.IsDBNull(12) ? null : row.GetString(12),
    };
}
