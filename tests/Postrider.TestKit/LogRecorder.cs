using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Postrider.TestKit;

/// <summary>Records what is logged, in every category.</summary>
/// <param name="least">The lowest level that is enabled and recorded.</param>
public sealed class LogRecorder(LogLevel least = LogLevel.Trace) : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<Entry> _entries = new();

    /// <summary>The entries so far, in their order.</summary>
    public IReadOnlyCollection<Entry> Entries => _entries;

    /// <summary>The texts of the entries so far, without their exceptions.</summary>
    public IEnumerable<string> Lines => _entries.Select(static entry => entry.Text);

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => this;

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel >= least;

    /// <inheritdoc/>
    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        if (IsEnabled(logLevel)) _entries.Enqueue(new(logLevel, formatter(state, exception), exception));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }

    /// <summary>An entry.</summary>
    public sealed record Entry(LogLevel Level, string Text, Exception? Exception);
}
