namespace Postrider.Outbox;

/// <summary>The database of the outbox: which one, the names of its tables, and connections of one's own.</summary>
/// <remarks>Thread-safe. <c>UseDataSource</c> registers one, <c>UseDbContext</c> another.</remarks>
internal abstract class OutboxStore
{
    /// <summary>The statements; what is wrong with the model or the provider is thrown here.</summary>
    internal abstract SqlText Text { get; }

    /// <summary>Opens a connection that no scope uses.</summary>
    internal abstract ValueTask<OutboxConnection> OpenAsync(CancellationToken ct);
}
