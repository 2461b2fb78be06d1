using System.Data.Common;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Npgsql;
using Postrider.Resilience;

namespace Postrider.Outbox.PostgreSql;

/// <summary>Listens to the notifications of the outbox's table while the host runs, and wakes the relays of the process.</summary>
internal sealed partial class CommitListener(OutboxStore store, OutboxSignal signal, OutboxOptions options, TimeProvider time, ILogger logger) : IHostedService, IDisposable
{
    private static readonly RetryPolicy s_pauses = new() { BaseDelay = TimeSpan.FromSeconds(1), MaxDelay = TimeSpan.FromMinutes(1), Backoff = Backoff.Exponential };

    private readonly CancellationTokenSource _stopping = new();
    private Task _running = Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (store.Text is not PostgreSqlText text)
            throw new PostriderException(PostriderError.Configuration, "WakeByNotifications needs an outbox in PostgreSQL, and this one is in SQLite: remove the call. Messages of other processes are found within OutboxOptions.PollInterval.");
        if (options.Relay)
            _running = Task.Run(() => RunAsync(text), CancellationToken.None);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _running.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public void Dispose() => _stopping.Dispose();

    // The outermost level of the loop: any failure is logged, and retried after a while.
    private async Task RunAsync(PostgreSqlText text)
    {
        var failures = 0;
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                await ListenAsync(text, () => failures = 0, _stopping.Token).ConfigureAwait(false);
                return;
            }
            catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
            {
                return;
            }
            catch (Exception failure)
            {
                LogFailed(logger, failure);
                failures++;
            }

            await Task.Delay(s_pauses.DelayAfter(failures, TimeSpan.Zero), time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Listens until the connection is lost.</summary>
    /// <returns>Completes if the database's connections cannot listen.</returns>
    private async Task ListenAsync(PostgreSqlText text, Action listening, CancellationToken stop)
    {
        var open = await store.OpenAsync(stop).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
        {
            if (open.Connection is not NpgsqlConnection connection)
            {
                LogForeign(logger, open.Connection.GetType());
                return;
            }

            if (await connection.ScalarAsync(null, text.FindTrigger, [], stop).ConfigureAwait(false) is null)
                LogNoTrigger(logger, text.Tables.OutboxName);
            connection.Notification += (_, _) => signal.Set();
            await connection.ExecuteAsync(null, text.Listen, [], stop).ConfigureAwait(false);
            listening();
            // Finds the messages that were committed before the connection listened.
            signal.Set();
            while (true)
                await connection.WaitAsync(stop).ConfigureAwait(false);
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "The outbox does not listen to notifications at the moment: messages of other processes are found by polling.")]
    private static partial void LogFailed(ILogger logger, Exception failure);

    [LoggerMessage(2, LogLevel.Warning, "The outbox's table '{Table}' has no trigger that notifies: messages of other processes are found by polling. Call OutboxSchema.CreateNotificationsAsync, or add OutboxSchema.NotificationScript to a migration.")]
    private static partial void LogNoTrigger(ILogger logger, string table);

    [LoggerMessage(3, LogLevel.Error, "The outbox cannot listen to notifications over a {Connection}: use an NpgsqlDataSource or Npgsql's provider of Entity Framework Core. Messages of other processes are found by polling.")]
    private static partial void LogForeign(ILogger logger, Type connection);
}
