namespace Postrider.Outbox;

/// <summary>The database of the outbox: its kind, the names of its tables, and new connections.</summary>
/// <remarks>Thread-safe. <c>UseDataSource</c> registers one, <c>UseDbContext</c> another.</remarks>
internal abstract class OutboxStore
{
    /// <summary>The statements. Throws if the model or the provider is not supported.</summary>
    internal abstract SqlText Text { get; }

    /// <summary>How missing tables are created, as a sentence.</summary>
    internal virtual string HowToCreate
        => "Create the tables before the host starts, with OutboxSchema.CreateAsync or a migration from OutboxSchema.Script, or correct their names in OutboxOptions.Tables.";

    /// <summary>Opens a connection that no scope uses.</summary>
    internal abstract ValueTask<OutboxConnection> OpenAsync(CancellationToken ct);
}
