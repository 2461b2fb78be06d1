using System.Data.Common;
using Microsoft.Data.Sqlite;
using Npgsql;
using Postrider.Outbox;

namespace Postrider.OutboxTests.Harness;

/// <summary>An empty database with the outbox's tables and those of the tests' application.</summary>
public sealed class TestDatabase : IAsyncDisposable
{
    private readonly DirectoryInfo? _folder;

    private TestDatabase(OutboxDatabase kind, string connectionString, DirectoryInfo? folder)
    {
        (Kind, ConnectionString, _folder) = (kind, connectionString, folder);
        Source = kind == OutboxDatabase.PostgreSql ? NpgsqlDataSource.Create(connectionString) : SqliteFactory.Instance.CreateDataSource(connectionString);
    }

    public OutboxDatabase Kind { get; }

    public string ConnectionString { get; }

    public DbDataSource Source { get; }

    public static async Task<TestDatabase> CreateAsync(OutboxDatabase kind, PostgresServer server, bool withTables = true)
    {
        TestDatabase created;
        if (kind == OutboxDatabase.PostgreSql)
        {
            created = new(kind, await server.CreateDatabaseAsync(), folder: null);
        }
        else
        {
            var folder = Directory.CreateTempSubdirectory("postrider-outbox-");
            created = new(kind, $"Data Source={Path.Join(folder.FullName, "app.db")};Default Timeout=30", folder);
            await created.ExecuteAsync("pragma journal_mode = wal");
        }

        if (withTables)
        {
            await OutboxSchema.CreateAsync(created.Source, kind);
            await created.ExecuteAsync("create table orders (number bigint primary key)");
            await created.ExecuteAsync("create table handled (number bigint not null, message_key text null)");
        }

        return created;
    }

    public async Task<int> ExecuteAsync(string text)
    {
        await using var connection = await Source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = text;
        return await command.ExecuteNonQueryAsync();
    }

    public async Task<long> CountAsync(string from)
    {
        await using var connection = await Source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = $"select count(*) from {from}";
        return (long)(await command.ExecuteScalarAsync())!;
    }

    public async ValueTask DisposeAsync()
    {
        await Source.DisposeAsync();
        if (_folder is null)
            return;
        SqliteConnection.ClearPool(new SqliteConnection(ConnectionString));
        _folder.Delete(recursive: true);
    }
}
