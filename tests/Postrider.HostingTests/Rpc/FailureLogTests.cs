using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

public sealed class FailureLogTests
{
    [Theory]
    [MemberData(nameof(LedgerHost.Transports), MemberType = typeof(LedgerHost))]
    public async Task Failure_that_the_contract_does_not_declare_is_logged_over_every_transport(string transport)
    {
        var log = new ErrorLog();
        await using var host = await LedgerHost.StartAsync(services => services.AddSingleton<ILoggerProvider>(log));
        await using var channel = host.Connect(transport);

        await Assert.ThrowsAsync<RpcException>(async () => await new LedgerClient(channel).FailAsync());

        Assert.Equal(["ledger/Fail failed: The ledger is closed."], log.Lines);
    }

    private sealed class ErrorLog : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
                Lines.Enqueue($"{formatter(state, exception)}: {exception?.Message}");
        }

        public void Dispose()
        {
        }
    }
}
