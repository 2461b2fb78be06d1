using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Configuration.Memory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Postrider.HostingTests.Dispatch;

/// <summary>Configuration that changes while the host runs.</summary>
public sealed class ConfigurationChangeTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Change_while_the_host_runs_is_named_without_its_value()
    {
        using var log = new WarningLines();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(log);
        builder.Configuration.Sources.Add(new MemoryConfigurationSource { InitialData = [new("Postrider:Client:Password", "a"), new("Postrider:Routes:Remind:Transport", "work"), new("Other", "1")] });
        builder.Services.AddPostrider();
        using var host = builder.Build();
        await host.StartAsync(Ct);
        var configuration = (IConfigurationRoot)builder.Configuration;

        configuration["Other"] = "2";
        configuration.Reload();
        Assert.Empty(log.Lines);
        configuration["Postrider:Client:Password"] = "b";
        configuration["Postrider:Client:Name"] = "orders";
        configuration.Reload();
        configuration.Reload();
        await host.StopAsync(Ct);

        Assert.Equal(
            ["The configuration has changed and is not applied: Postrider:Client:Name, Postrider:Client:Password. Clients, transports, routes and channels read it when the host starts. Restart the process to apply it."],
            log.Lines);
    }

    private sealed class WarningLines : ILoggerProvider, ILogger
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
