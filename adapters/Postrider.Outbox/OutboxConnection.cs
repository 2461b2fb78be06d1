using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>An open connection, and the object to dispose with it.</summary>
internal sealed class OutboxConnection(DbConnection connection, IAsyncDisposable owner) : IAsyncDisposable
{
    internal DbConnection Connection => connection;

    public ValueTask DisposeAsync() => owner.DisposeAsync();
}
