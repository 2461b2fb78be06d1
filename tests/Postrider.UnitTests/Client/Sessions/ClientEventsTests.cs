using Microsoft.Extensions.Logging;
using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class ClientEventsTests
{
    [Fact]
    public void End_that_was_asked_for_is_no_warning_and_names_nothing_that_is_not_there()
    {
        var log = new LogList();
        var feed = new ClientEvents(log);

        feed.Tell(new ClientEvent(ClientEventKind.Closed));

        Assert.Equal(["Debug Closed"], log.Lines);
    }

    [Fact]
    public void Other_events_are_logged_with_what_they_happened_to()
    {
        var log = new LogList();
        var feed = new ClientEvents(log);

        feed.Tell(new ClientEvent(ClientEventKind.Connected, Server: "a:4222"));
        feed.Tell(new ClientEvent(ClientEventKind.Disconnected, Server: "a:4222", Error: new IOException()));
        feed.Tell(new ClientEvent(ClientEventKind.Reconnected, Server: "a:4222"));
        feed.Tell(new ClientEvent(ClientEventKind.SlowConsumer, Subject: "orders.*"));
        feed.Tell(new ClientEvent(ClientEventKind.Closed, Error: new IOException()));

        Assert.Equal(
            ["Debug Connected (server a:4222)", "Warning Disconnected (server a:4222): IOException: I/O error occurred.", "Information Reconnected (server a:4222)", "Warning SlowConsumer (subject orders.*)", "Warning Closed: IOException: I/O error occurred."],
            log.Lines);
    }

    [Fact]
    public void Stack_of_a_handler_is_logged_once_for_a_message()
    {
        var log = new LogList(LogLevel.Information);
        var feed = new ClientEvents(log);
        var failed = new ClientEvent(ClientEventKind.HandlerFailed, Subject: "orders.new", Error: new InvalidOperationException("no\npaper"));

        feed.Tell(failed);
        feed.Tell(failed, isRepeated: true);

        const string line = "Warning HandlerFailed (subject orders.new): InvalidOperationException: no paper";
        Assert.Equal([$"{line} (with a stack)", line], log.Lines);
    }

    private sealed class LogList(LogLevel min = LogLevel.Debug) : ILogger
    {
        internal List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= min;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => Lines.Add($"{logLevel} {formatter(state, exception)}{(exception is null || min == LogLevel.Debug ? "" : " (with a stack)")}");
    }
}
