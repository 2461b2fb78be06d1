using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>Routes of messages whose handler was replaced.</summary>
public sealed class ReplacedRouteTests
{
    private static readonly JsonSerializerProvider s_json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Route_that_a_later_replacement_removes_is_named_at_the_start()
    {
        var log = await StartAsync(static options => options.Route<Remind, Unit>("work", s_json, "reminders").ReplaceCommand<Remind>(static (_, _) => default));

        Assert.Equal(
            ["Postrider.HostingTests.Dispatch.Remind is not routed to 'reminders': its handler was replaced after Route, which removed the route. To keep the route, replace the handler first: the replacement then handles the messages that arrive through a binding."],
            log);
    }

    [Fact]
    public async Task Route_that_is_added_after_the_replacement_stays()
        => Assert.Empty(await StartAsync(static options => options.ReplaceCommand<Remind>(static (_, _) => default).Route<Remind, Unit>("work", s_json, "reminders")));

    private static async Task<IReadOnlyList<string>> StartAsync(Action<DispatchOptions> configure)
    {
        using var log = new StartLog();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(log);
        builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), s_json);
        builder.Services.AddPostrider(configure);
        using var host = builder.Build();
        await host.StartAsync(Ct);
        await host.StopAsync(Ct);
        return log.Lines;
    }

    private sealed class StartLog : ILoggerProvider, ILogger
    {
        internal List<string> Lines { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
                Lines.Add(formatter(state, exception));
        }

        public void Dispose()
        {
        }
    }
}
