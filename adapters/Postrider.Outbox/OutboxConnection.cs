using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>An open connection, and the object to dispose with it.</summary>
internal sealed class OutboxConnection(DbConnection connection, IAsyncDisposable owner) : IAsyncDisposable, IDisposable
{
    internal DbConnection Connection => connection;

    public ValueTask DisposeAsync() => owner.DisposeAsync();

    // Connections and scopes have both ways.
    public void Dispose() => ((IDisposable)owner).Dispose();
}
