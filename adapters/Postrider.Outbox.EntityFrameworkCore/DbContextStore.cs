using System.Data.Common;
using System.Runtime.ExceptionServices;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Outbox.EntityFrameworkCore;

/// <summary>The database of a DbContext, with the names of its model.</summary>
internal sealed class DbContextStore<TContext>(IServiceScopeFactory scopes) : OutboxStore
    where TContext : DbContext
{
    private SqlText? _text;

    internal override SqlText Text => _text ??= ReadModel();

    internal override string HowToCreate
        => $"Create the tables before the host starts, with a migration of {typeof(TContext).Name} or Database.EnsureCreated, or correct their names in modelBuilder.AddPostriderOutbox.";

    internal override async ValueTask<OutboxConnection> OpenAsync(CancellationToken ct)
    {
        var scope = scopes.CreateAsyncScope();
        try
        {
            var context = scope.ServiceProvider.GetRequiredService<TContext>();
            await context.Database.OpenConnectionAsync(ct).ConfigureAwait(false);
            return new OutboxConnection(context.Database.GetDbConnection(), scope);
        }
        catch (Exception failure)
        {
            await scope.DisposeAsync().ConfigureAwait(false);
            // Execution strategies wrap what another attempt may fix.
            if (failure is InvalidOperationException { InnerException: DbException lost })
                ExceptionDispatchInfo.Throw(lost);
            throw;
        }
    }

    private SqlText ReadModel()
    {
        using var scope = scopes.CreateScope();
        var context = scope.ServiceProvider.GetService<TContext>()
            ?? throw new PostriderException(PostriderError.Configuration, $"{typeof(TContext)} is not in the container: call AddDbContext<{typeof(TContext).Name}>.");
        var database = context.Database.ProviderName switch
        {
            { } name when name.EndsWith(".Sqlite", StringComparison.Ordinal) => OutboxDatabase.Sqlite,
            { } name when name.EndsWith(".PostgreSQL", StringComparison.Ordinal) => OutboxDatabase.PostgreSql,
            var other => throw new PostriderException(PostriderError.Configuration, $"{typeof(TContext)} uses {other}, which the outbox does not support. Supported: Microsoft.EntityFrameworkCore.Sqlite, Npgsql.EntityFrameworkCore.PostgreSQL."),
        };
        var outbox = Find(context, typeof(OutboxMessage));
        return SqlText.For(database, new OutboxTables
        {
            Schema = outbox.GetSchema(),
            Outbox = outbox.GetTableName()!,
            Inbox = Find(context, typeof(InboxMessage)).GetTableName()!,
            Saga = Find(context, typeof(SagaState)).GetTableName()!,
            Relay = Find(context, typeof(RelayLease)).GetTableName()!,
        });
    }

    private static IEntityType Find(DbContext context, Type row)
        => context.Model.FindEntityType(row)
            ?? throw new PostriderException(PostriderError.Configuration, $"The model of {typeof(TContext)} has no outbox: call modelBuilder.AddPostriderOutbox() in OnModelCreating, and add a migration.");
}
