using Npgsql;
using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

/// <summary>PostgreSQL's relays share the keys by locks of their transactions.</summary>
public sealed class PostgresLockTests(PostgresServer server) : DatabaseCases(OutboxDatabase.PostgreSql, server)
{
    [Fact]
    public async Task Relay_whose_connection_is_ended_gives_its_keys_back()
    {
        await using var app = await TestApp.StartAsync(Database);
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"), new OrderPlaced(3));
        var sending = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        app.Wire.Before = async _ =>
        {
            sending.TrySetResult();
            await release.Task;
        };
        var ending = app.Relay().DrainAsync(false, default).AsTask();
        await sending.Task.WaitAsync(Eventually.Patience, Ct);

        // Another one leaves the locked rows alone.
        await app.DrainAsync();
        Assert.Empty(app.Placed);
        // Until it has ended: its locks are held as long.
        await Database.ExecuteAsync("select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'");
        release.SetResult();
        await Assert.ThrowsAnyAsync<NpgsqlException>(() => ending.WaitAsync(Eventually.Patience, Ct));
        await app.DrainAsync();

        // The first relay had sent them; the second sends them again, with the same ids.
        Assert.Equal([1, 2, 1, 2], app.PlacedOf("k"));
        Assert.Equal(3, app.Placed.Select(p => p.Headers[Envelopes.HeaderNames.MessageId]).Distinct().Count());
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Fact]
    public async Task Later_number_that_is_committed_first_hides_no_earlier_one()
    {
        await using var app = await TestApp.StartAsync(Database);
        await using var first = await Database.Source.OpenConnectionAsync(Ct);
        await using var slow = await first.BeginTransactionAsync(Ct);
        await using (var scope = Microsoft.Extensions.DependencyInjection.ServiceProviderServiceExtensions.CreateAsyncScope(app.Services))
        {
            ((OutboxSession)scope.ServiceProvider.GetService(typeof(OutboxSession))!).Enlist(slow);
            await ((IDispatcher)scope.ServiceProvider.GetService(typeof(IDispatcher))!).PublishAsync(new OrderPlaced(1), Ct);
        }

        await app.PublishAsync(new OrderPlaced(2));
        await app.DrainAsync();
        Assert.Equal([2], app.PlacedOf(""));
        await slow.CommitAsync(Ct);
        await app.DrainAsync();

        Assert.Equal([2, 1], app.PlacedOf(""));
    }
}
