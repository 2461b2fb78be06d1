using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.CommandLine.Logging;

namespace Postrider.CommandLine.Serving;

/// <summary>A broker with its monitoring pages, log, files and signals.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private readonly NatsBroker _broker;
    private readonly ServerLog _log;
    private readonly ServerFiles _files;
    private readonly SignalListener _signals;
    private readonly Func<BrokerOptions> _read;

    // One reload at a time: a signal and a request may ask for one at the same time. Covers everything that a reload locks.
    private readonly Lock _reloading = new();

    private RunningServer(Func<BrokerOptions> read, NatsBroker broker, ServerLog log, ServerFiles files, SignalListener signals)
    {
        _read = read;
        _broker = broker;
        _log = log;
        _files = files;
        _signals = signals;
        broker.ReloadHandler = ReloadOrThrow;
    }

    /// <summary>Starts everything; if a later part fails, the parts already started are stopped.</summary>
    /// <param name="options">The options to start with.</param>
    /// <param name="read">Reads the options again, for a reload.</param>
    /// <exception cref="BrokerException">An address or a file could not be had.</exception>
    internal static async Task<RunningServer> StartAsync(BrokerOptions options, Func<BrokerOptions> read)
    {
        var signals = new SignalListener();
        var log = new ServerLog(options.Logging, options.TimeProvider);
        options.LoggerFactory = log;
        var monitoring = new HttpMonitoring();
        NatsBroker? broker = null;
        try
        {
            broker = await NatsBroker.StartAsync(options, [monitoring]);
            var files = ServerFiles.Write(options, ProgramName.Current, broker, monitoring.EndPoint, monitoring.IsSecure);
            return new RunningServer(read, broker, log, files, signals);
        }
        catch (BrokerException error)
        {
            // The program writes the error to standard error; a log file needs its own entry.
            if (log.IsFile)
                ServingLog.Failed(log, error.Message);
            if (broker is not null)
                await broker.DisposeAsync();
            log.Dispose();
            signals.Dispose();
            throw;
        }
    }

    /// <summary>Handles signals until the broker has stopped.</summary>
    internal async Task WaitAsync()
    {
        SystemdNotifier.Ready();
        await using var pages = StartPages.ReleaseLater(TimeProvider.System);
        var leaving = false;
        while (!_broker.Completion.IsCompleted)
        {
            var next = _signals.Signals.WaitToReadAsync().AsTask();
            if (await Task.WhenAny(next, _broker.Completion) != next || !_signals.Signals.TryRead(out var signal))
                continue;
            ServingLog.Trapped(_log, SignalNumbers.NameOf(signal));
            switch (signal)
            {
                case ServerSignal.Quit:
                case ServerSignal.Terminate when !leaving:
                    SystemdNotifier.Stopping();
                    await _broker.StopAsync();
                    break;
                case ServerSignal.LameDuck:
                    leaving = true;
                    SystemdNotifier.Stopping();
                    _ = LeaveAsync();
                    break;
                case ServerSignal.Reopen:
                    ReopenLog();
                    break;
                case ServerSignal.Reload:
                    Reload();
                    break;
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        _files.Dispose();
        await _broker.DisposeAsync();
        _signals.Dispose();
        _log.Dispose();
    }

    // Runs beside the loop: signals are handled while clients leave.
    private async Task LeaveAsync()
    {
        try
        {
            await _broker.EnterLameDuckModeAsync();
        }
        catch (Exception error)
        {
            ServingLog.LameDuckFailed(_log, error);
            await _broker.StopAsync();
        }
    }

    private void Reload()
    {
        try
        {
            ReloadOrThrow();
        }
        catch (BrokerException refusal)
        {
            ServingLog.ReloadFailed(_log, refusal.Message);
        }
    }

    private void ReloadOrThrow()
    {
        lock (_reloading)
        {
            SystemdNotifier.Reloading();
            try
            {
                ReloadLocked();
            }
            finally
            {
                // Also when the file is rejected: the server continues with its current configuration.
                SystemdNotifier.Ready();
            }
        }
    }

    private void ReloadLocked()
    {
        if (_broker.State.Options.ConfigurationFile is null)
            throw new BrokerException(BrokerError.InvalidConfiguration, "can only reload config when a file is provided using -c or --config");
        var options = _read();
        _broker.Reload(options);
        _log.Change(options.Logging);
        _files.Change(options);
        ServingLog.Reloaded(_log, options.ConfigurationDigest ?? "");
    }

    private void ReopenLog()
    {
        if (!_log.IsFile)
        {
            ServingLog.ReopenIgnored(_log);
            return;
        }
        _log.Reopen();
        ServingLog.Reopened(_log);
    }
}
