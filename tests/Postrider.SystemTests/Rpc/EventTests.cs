using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.SystemTests.Rpc;

/// <summary>One-way operations over HTTP: answered at once, bounded, handled before the application ends.</summary>
public sealed class EventTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task Event_is_answered_before_it_is_handled()
    {
        await using var host = await DepotHost.StartAsync(static b => b.Services.AddOneWayCallQueue());

        using var response = await host.SendAsync("POST", "depot/Note", "\"a\"");

        Assert.Equal(202, (int)response.StatusCode);
        Assert.Equal("a", await NextAsync(host.Depot.Began));
        Assert.False(host.Depot.Ended.Reader.TryRead(out _));
        host.Depot.Gate.Release();
        Assert.Equal("a", await NextAsync(host.Depot.Ended));
    }

    [Fact]
    public async Task Event_that_fails_is_counted_and_logged()
    {
        using var log = new LogRecorder(LogLevel.Error);
        await using var host = await DepotHost.StartAsync(b =>
        {
            b.Services.AddOneWayCallQueue();
            b.Logging.AddProvider(log);
        });
        var events = host.App.Services.GetRequiredService<OneWayCallQueue>();
        host.Depot.Gate.Release(2);

        await host.Client.NoteAsync("bad");
        await host.Client.NoteAsync("good");

        await events.StopAsync(CancellationToken.None).WaitAsync(Patience);
        Assert.Equal((1, 1, 0, 0, 0), (events.Handled, events.Failed, events.Refused, events.Waiting, events.Running));
        Assert.Equal(["depot/Note failed: told to the log"], log.Entries.Select(static entry => $"{entry.Text}: {entry.Exception?.Message}"));
    }

    [Fact]
    public async Task Event_whose_failure_cannot_be_logged_holds_up_no_other()
    {
        await using var host = await DepotHost.StartAsync(static b =>
        {
            b.Services.AddOneWayCallQueue(new OneWayCallQueueOptions { MaxRunning = 1 });
            b.Logging.AddProvider(new FullLog());
        });
        var events = host.App.Services.GetRequiredService<OneWayCallQueue>();
        host.Depot.Gate.Release(2);

        await host.Client.NoteAsync("bad");
        await host.Client.NoteAsync("good");

        await events.StopAsync(CancellationToken.None).WaitAsync(Patience);
        Assert.Equal((1, 0, 0), (events.Handled, events.Waiting, events.Running));
    }

    [Fact]
    public async Task Event_beyond_the_bound_is_refused_and_told_when_to_come_again()
    {
        await using var host = await DepotHost.StartAsync(static b => b.Services.AddOneWayCallQueue(new OneWayCallQueueOptions { MaxRunning = 1, MaxWaiting = 2 }));
        var events = host.App.Services.GetRequiredService<OneWayCallQueue>();
        for (var i = 0; i < 3; i++)
            await host.Client.NoteAsync($"{i}");
        Assert.Equal((1, 2), (events.Running, events.Waiting));

        using var response = await host.SendAsync("POST", "depot/Note", "\"x\"");
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await host.Client.NoteAsync("y"));

        Assert.Equal((429, "1"), ((int)response.StatusCode, response.Headers.RetryAfter?.ToString()));
        Assert.Equal((RpcStatus.Busy, 2), (failure.Status, events.Refused));
        host.Depot.Gate.Release(3);
        Assert.Equal(["0", "1", "2"], new[] { await NextAsync(host.Depot.Ended), await NextAsync(host.Depot.Ended), await NextAsync(host.Depot.Ended) });
    }

    [Fact]
    public async Task Application_ends_when_what_it_took_is_handled()
    {
        await using var host = await DepotHost.StartAsync(static b => b.Services.AddOneWayCallQueue(new OneWayCallQueueOptions { MaxRunning = 2 }));
        for (var i = 0; i < 5; i++)
            await host.Client.NoteAsync($"{i}");

        var stopping = host.App.StopAsync();
        await NextAsync(host.Depot.Began);
        Assert.False(stopping.IsCompleted);
        host.Depot.Gate.Release(5);
        await stopping.WaitAsync(Patience);

        Assert.Equal(5, host.Depot.Ended.Reader.Count);
        Assert.Equal(5, host.App.Services.GetRequiredService<OneWayCallQueue>().Handled);
    }

    [Fact]
    public async Task Event_that_comes_while_the_application_stops_is_refused()
    {
        await using var host = await DepotHost.StartAsync(static b => b.Services.AddOneWayCallQueue());
        await host.App.Services.GetRequiredService<OneWayCallQueue>().StopAsync(CancellationToken.None);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await host.Client.NoteAsync("late"));

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
    }

    private static Task<string> NextAsync(System.Threading.Channels.Channel<string> channel) => channel.Reader.ReadAsync().AsTask().WaitAsync(Patience);

    /// <summary>A log that takes nothing.</summary>
    private sealed class FullLog : ILoggerProvider, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel == LogLevel.Error;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => throw new IOException("The disk is full.");

        public void Dispose()
        {
        }
    }
}
