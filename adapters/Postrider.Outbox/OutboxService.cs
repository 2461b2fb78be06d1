using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Runs the relays and the cleanup for as long as the host runs.</summary>
internal sealed partial class OutboxService(
    IServiceProvider services, OutboxStore store, IReadOnlyList<string> transports, OutboxOptions options, OutboxSignal signal, TimeProvider time,
    MessageObserver? observer, ILogger logger) : IHostedService, IDisposable
{
    private const int CleanedAtOnce = 1000;

    // A test harness wakes the relay explicitly, so it does not poll.
    private static readonly TimeSpan s_observedInterval = TimeSpan.FromDays(20);

    private readonly CancellationTokenSource _stopping = new();
    private readonly List<Task> _running = [];

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        options.Validate();
        foreach (var name in transports)
            _ = Transport(name);
        // Reports a wrong model at the start instead of with the first message.
        var text = store.Text;
        if (!options.Relay)
            return;
        await OutboxProbe.CheckAsync(store, cancellationToken).ConfigureAwait(false);
        foreach (var name in transports)
        {
            var sender = new BatchSender(Transport(name), name, options, time, logger);
            var loops = text is SqliteText ? 1 : options.Relays;
            for (var i = 0; i < loops; i++)
            {
                RelayLoop loop = text is SqliteText ? new SqliteRelay(store, sender, options, time) : new PostgreSqlRelay(store, sender, options, time);
                var work = observer?.Begin($"the relay of the outbox over '{name}'");
                _running.Add(Task.Run(() => RelayAsync(loop, name, work), CancellationToken.None));
            }
        }

        if (observer is not null)
        {
            // A test may advance its clock by months, so the tables are not cleaned.
            observer.AddPolling(signal.Set);
            return;
        }

        _running.Add(Task.Run(CleanAsync, CancellationToken.None));
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        try
        {
            await Task.WhenAll(_running).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            LogStillRunning(logger);
        }
    }

    public void Dispose() => _stopping.Dispose();

    private ITransport Transport(string name)
        => services.GetKeyedService<ITransport>(name)
            ?? throw new PostriderException(PostriderError.Configuration, $"The outbox sends over the transport '{name}', which was not added. Call AddPostriderTransport(\"{name}\", …), or correct the name in AddTransport of the outbox.");

    // The outermost level of the loop: any failure is logged, and retried after a while.
    private async Task RelayAsync(RelayLoop loop, string name, object? work)
    {
        if (work is not null)
            observer!.Enter(work);
        var stop = _stopping.Token;
        var failures = 0;
        while (!stop.IsCancellationRequested)
        {
            var woken = signal.Next;
            try
            {
                if (await loop.DrainAsync(isProbe: failures > 0, stop).ConfigureAwait(false) is { } outage)
                {
                    LogOutage(logger, name, MessageText.Describe(outage), logger.IsEnabled(LogLevel.Debug) ? outage : null);
                    failures++;
                }
                else
                {
                    if (failures > 0)
                        LogRecovered(logger, name);
                    failures = 0;
                    var wait = await loop.NextAsync(observer is null ? options.PollInterval : s_observedInterval, stop).ConfigureAwait(false);
                    await WaitAsync(wait, woken, stop).ConfigureAwait(false);
                }
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                break;
            }
            catch (Exception error)
            {
                LogDatabase(name, error);
                failures++;
            }

            if (failures > 0)
                await WaitAsync(options.Retry.DelayAfter(failures, TimeSpan.Zero), woken: default, stop).ConfigureAwait(false);
        }

        try
        {
            await loop.EndAsync().ConfigureAwait(false);
        }
        catch (Exception error)
        {
            LogDatabase(name, error);
        }
        finally
        {
            if (work is not null)
                observer!.End(work);
        }
    }

    private async Task CleanAsync()
    {
        var stop = _stopping.Token;
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await CleanAsync(stop).ConfigureAwait(false);
            }
            catch (Exception error) when (!stop.IsCancellationRequested)
            {
                LogNotCleaned(logger, error);
            }
            catch (Exception) when (stop.IsCancellationRequested)
            {
                return;
            }

            await WaitAsync(options.CleanupInterval, woken: default, stop).ConfigureAwait(false);
        }
    }

    private async ValueTask CleanAsync(CancellationToken ct)
    {
        var now = time.GetUtcNow();
        var open = await store.OpenAsync(ct).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
        {
            int cleaned;
            do
            {
                // In batches, so that handlers can write in between.
                cleaned = await open.Connection.ExecuteAsync(
                    null, store.Text.CleanHandled, [("before", (now - options.KeepHandledFor).ToUnixTimeMilliseconds()), ("max", CleanedAtOnce)], ct).ConfigureAwait(false);
            }
            while (cleaned == CleanedAtOnce);
            await open.Connection.ExecuteAsync(null, store.Text.CleanSagas, [("before", now.ToUnixTimeMilliseconds())], ct).ConfigureAwait(false);
            if (options.KeepDeadLettersFor is { } kept)
                await open.Connection.ExecuteAsync(null, store.Text.CleanDead, [("before", (now - kept).ToUnixTimeMilliseconds())], ct).ConfigureAwait(false);
        }
    }

    private async Task WaitAsync(TimeSpan wait, CancellationToken woken, CancellationToken stop)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stop, woken);
        await Task.Delay(wait, time, ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // Not on the thread that committed a message. The test harness waits for what a timer starts within the call that fires it.
        if (observer is null || ended.IsCancellationRequested)
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
    }

    // Errors of the database are logged without their stack.
    private void LogDatabase(string transport, Exception error)
        => LogDatabase(logger, transport, MessageText.Describe(error), error is DbException && !logger.IsEnabled(LogLevel.Debug) ? null : error);

    [LoggerMessage(3, LogLevel.Warning, "The transport '{Transport}' does not work; its messages wait in the outbox. {Reason}")]
    private static partial void LogOutage(ILogger logger, string transport, string reason, Exception? outage);

    [LoggerMessage(7, LogLevel.Information, "Messages for '{Transport}' are sent from the outbox again.")]
    private static partial void LogRecovered(ILogger logger, string transport);

    [LoggerMessage(4, LogLevel.Error, "The outbox's database does not work; messages for '{Transport}' wait in it. {Reason}")]
    private static partial void LogDatabase(ILogger logger, string transport, string reason, Exception? error);

    [LoggerMessage(5, LogLevel.Warning, "The inbox could not be cleaned.")]
    private static partial void LogNotCleaned(ILogger logger, Exception error);

    [LoggerMessage(6, LogLevel.Warning, "The outbox still had running sends when the host's shutdown timeout ended; their messages may be sent again.")]
    private static partial void LogStillRunning(ILogger logger);
}
