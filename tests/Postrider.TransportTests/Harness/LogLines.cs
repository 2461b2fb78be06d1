using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Postrider.TransportTests.Harness;

/// <summary>What is logged, at every level and in every category.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<string> _lines = new();

    public IEnumerable<string> All => _lines;

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => _lines.Enqueue(formatter(state, exception));

    public void Dispose()
    {
    }
}
