using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests.Cases;

/// <summary>Tests with an empty database each.</summary>
public abstract class DatabaseCases(OutboxDatabase kind, PostgresServer server) : IAsyncLifetime
{
    protected static CancellationToken Ct => TestContext.Current.CancellationToken;

    protected TestDatabase Database { get; private set; } = null!;

    protected PostgresServer Server => server;

    public virtual async ValueTask InitializeAsync() => Database = await TestDatabase.CreateAsync(kind, server);

    public async ValueTask DisposeAsync()
    {
        await Database.DisposeAsync();
        GC.SuppressFinalize(this);
    }
}
