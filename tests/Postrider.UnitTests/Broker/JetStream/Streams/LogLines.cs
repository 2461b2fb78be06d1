using Microsoft.Extensions.Logging;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A log that keeps its lines.</summary>
internal sealed class LogLines : ILogger
{
    private readonly List<string> _lines = [];

    /// <summary>What was written at <see cref="LogLevel.Warning"/> or above.</summary>
    public string Warnings => string.Join('\n', _lines);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (logLevel >= LogLevel.Warning) _lines.Add($"{formatter(state, exception)}{(exception is null ? "" : $" {exception}")}");
    }
}
