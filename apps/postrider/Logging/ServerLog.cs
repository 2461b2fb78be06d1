using System.Globalization;
using Microsoft.Extensions.Logging;
using Postrider.Broker;

namespace Postrider.CommandLine.Logging;

/// <summary>Writes a server's log as nats-server does: <c>[pid] 2026/11/21 08:41:00.000000 [INF] text</c>.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class ServerLog : ILoggerFactory, ILogger
{
    private readonly TimeProvider _time;
    private readonly string _prefix = $"[{Environment.ProcessId}] ";

    // Guards the target: one line at a time, and none while the file is replaced.
    private readonly Lock _lock = new();
    private ILogTarget _target;
    private LoggingOptions _options;

    internal ServerLog(LoggingOptions options, TimeProvider time)
    {
        _options = options;
        _time = time;
        _target = OpenTarget();
    }

    /// <summary>Whether the log is a file.</summary>
    internal bool IsFile => !string.IsNullOrEmpty(_options.File);

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("A server has exactly one log.");

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel switch
    {
        LogLevel.Trace => _options.Trace,
        LogLevel.Debug => _options.Debug,
        LogLevel.None => false,
        _ => true,
    };

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
            return;
        var text = formatter(state, exception);
        if (exception is not null)
            text = $"{text}: {exception}";
        lock (_lock)
        {
            if (_target.IsBare)
            {
                _target.WriteLine(logLevel, text);
                return;
            }
            var label = _target.HasColours ? LogLevelLabel.Coloured(logLevel) : LogLevelLabel.Plain(logLevel);
            _target.WriteLine(logLevel, $"{_prefix}{Time()}{label}{text}");
        }
    }

    /// <summary>Changes the log settings, and opens another file if the path changed.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotWriteFile"/>: the file cannot be opened; logging is unchanged.</exception>
    internal void Change(LoggingOptions options)
    {
        lock (_lock)
        {
            var before = _options;
            _options = options;
            if (string.Equals(before.File, options.File, StringComparison.Ordinal) && before.Syslog == options.Syslog && string.Equals(before.RemoteSyslog, options.RemoteSyslog, StringComparison.Ordinal))
                return;
            try
            {
                var target = OpenTarget();
                _target.Dispose();
                _target = target;
            }
            catch (BrokerException)
            {
                _options = before;
                throw;
            }
        }
    }

    /// <summary>Closes the file and opens it again by its name, after it was renamed.</summary>
    internal void Reopen()
    {
        lock (_lock)
        {
            var old = _target;
            _target = OpenTarget();
            old.Dispose();
        }
    }

    public void Dispose()
    {
        lock (_lock)
            _target.Dispose();
    }

    private ILogTarget OpenTarget()
    {
        try
        {
            // As in nats-server: a file first, then another machine, then the system's log.
            if (!IsFile)
                return !string.IsNullOrEmpty(_options.RemoteSyslog) ? SyslogTarget.Open(_options.RemoteSyslog, _time)
                    : _options.Syslog ? SyslogTarget.Open(SyslogTarget.Local, _time)
                    : new StandardErrorTarget();
            return new FileTarget(_options.File!, _options.FileSizeLimitBytes, _options.MaxFiles, _time);
        }
        catch (Exception error) when (error is System.Net.Sockets.SocketException or FormatException)
        {
            throw new BrokerException(BrokerError.CannotWriteFile, $"error connecting to syslog: {error.Message}", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BrokerException(BrokerError.CannotWriteFile, $"error opening file: {error.Message}", error);
        }
    }

    private string Time()
    {
        if (!_options.Time)
            return "";
        var now = _options.TimeInUtc ? _time.GetUtcNow() : _time.GetLocalNow();
        return now.ToString("yyyy'/'MM'/'dd HH':'mm':'ss.ffffff ", CultureInfo.InvariantCulture);
    }
}
