using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Outbox;
using Postrider.Outbox.PostgreSql;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

/// <summary>A relay that PostgreSQL wakes when another process commits.</summary>
public sealed class PostgresNotificationTests(PostgresServer server) : DatabaseCases(OutboxDatabase.PostgreSql, server)
{
    private const string Listening = "pg_stat_activity where datname = current_database() and query like 'listen %'";

    [Fact]
    public async Task Message_of_another_process_is_sent_without_a_poll_and_after_the_connection_was_ended()
    {
        await OutboxSchema.CreateNotificationsAsync(Database.Source, ct: Ct);
        // Again: a migration that runs twice.
        await OutboxSchema.CreateNotificationsAsync(Database.Source, ct: Ct);
        await using var writer = await TestApp.StartAsync(Database);
        await using var relay = await StartRelayAsync(TimeSpan.FromHours(1));
        await ListensAsync();

        await writer.PublishAsync(new OrderPlaced(1));
        await Eventually.HoldsAsync(() => relay.PlacedOf("").Contains(1));
        await Database.ExecuteAsync($"select pg_terminate_backend(pid) from {Listening}");
        await writer.PublishAsync(new OrderPlaced(2));
        await Eventually.HoldsAsync(() => relay.PlacedOf("").Contains(2));
        await ListensAsync();
        await writer.PublishAsync(new OrderPlaced(3));
        await Eventually.HoldsAsync(() => relay.PlacedOf("").Contains(3));

        Assert.Equal([1, 2, 3], relay.PlacedOf(""));
        await Eventually.HoldsAsync(async () => await Database.CountAsync("postrider_outbox") == 0);
    }

    [Fact]
    public async Task Transaction_that_is_rolled_back_wakes_nobody_and_one_with_many_messages_sends_all()
    {
        await OutboxSchema.CreateNotificationsAsync(Database.Source, ct: Ct);
        await using var writer = await TestApp.StartAsync(Database);
        await using var relay = await StartRelayAsync(TimeSpan.FromHours(1));
        await ListensAsync();

        await Assert.ThrowsAsync<InvalidOperationException>(() => writer.InTransactionAsync(async (_, dispatcher) =>
        {
            await dispatcher.PublishAsync(new OrderPlaced(1), Ct);
            throw new InvalidOperationException();
        }));
        await writer.PublishAsync([.. Enumerable.Range(2, 50).Select(static number => new OrderPlaced(number, "k"))]);
        await Eventually.HoldsAsync(() => relay.PlacedOf("k").Count() >= 50);

        Assert.Equal(Enumerable.Range(2, 50).Select(static number => (long)number), relay.PlacedOf("k"));
        Assert.DoesNotContain(1, relay.PlacedOf(""));
    }

    [Fact]
    public async Task Table_without_the_trigger_is_told_and_polled()
    {
        var lines = new LogLines();
        await using var writer = await TestApp.StartAsync(Database);
        await using var relay = await StartRelayAsync(TimeSpan.FromMilliseconds(50), lines);

        await writer.PublishAsync(new OrderPlaced(1));
        await Eventually.HoldsAsync(() => relay.PlacedOf("").Contains(1) && lines.All.Any(static line => line.Contains("has no trigger", StringComparison.Ordinal)));

        Assert.Contains("The outbox's table 'postrider_outbox' has no trigger that notifies: messages of other processes are found by polling. Call OutboxSchema.CreateNotificationsAsync, or add OutboxSchema.NotificationScript to a migration.", lines.All);
    }

    private Task<TestApp> StartRelayAsync(TimeSpan poll, LogLines? lines = null) => TestApp.StartAsync(
        Database, relays: true, configure: options => options.PollInterval = poll,
        extend: outbox =>
        {
            outbox.WakeByNotifications();
            if (lines is not null) outbox.Services.AddLogging(logging => logging.AddProvider(lines));
        });

    private Task ListensAsync() => Eventually.HoldsAsync(async () => await Database.CountAsync(Listening) == 1);

    private sealed class LogLines : ILoggerProvider, ILogger
    {
        private readonly System.Collections.Concurrent.ConcurrentQueue<string> _all = new();

        public IEnumerable<string> All => _all;

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => _all.Enqueue(formatter(state, exception));

        public void Dispose()
        {
        }
    }
}
