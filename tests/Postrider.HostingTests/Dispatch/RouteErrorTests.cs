using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Dispatch;
using Postrider.Resilience;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>What a program is told about routes and bindings over NATS that fail: by exceptions, by the log and by spans.</summary>
public sealed class RouteErrorTests : IAsyncLifetime
{
    private const string Messages = "Postrider.HostingTests.Dispatch.";
    private const string NoStream = "No stream has the subject 'rumours.heard'. Create one, in a host with AddPostriderStreams, or correct the destination of the route.";

    private static readonly JsonSerializerProvider s_json = new(RoutesJson.Default);
    private static readonly RetryPolicy s_once = new() { MaxAttempts = 1 };

    private readonly LogLines _log = new();
    private NatsBroker _broker = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
        => _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("routes").FullName } }, Ct);

    public async ValueTask DisposeAsync() => await _broker.DisposeAsync();

    [Fact]
    public async Task Route_to_a_subject_without_a_stream_is_a_warning_at_the_start_and_names_the_route_when_it_is_used()
    {
        using var host = Build(static options => options.RouteNotification<Rumour>("out", s_json, "rumours.heard"), static services => AddStreams(services));
        await host.StartAsync(Ct);

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await Dispatcher(host).PublishAsync(new Rumour("x"), Ct));

        Assert.Contains($"Warning: {Messages}Rumour is routed to 'rumours.heard' over the transport 'out' by RouteNotification. {NoStream}", _log.Lines);
        Assert.Equal((PostriderError.NoListener, $"{Messages}Rumour could not be sent to 'rumours.heard' over the transport 'out'. {NoStream}"), (failure.Error, failure.Message));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Lost_connection_makes_routes_unavailable()
    {
        using var host = Build(
            static options => options.RouteNotification<Rumour>("out", s_json, "rumours.heard").Route<Orphan, Unit>("core", s_json, "orphans"),
            static services => AddStreams(services).Services.AddNatsTransport("core", s_json));
        await host.StartAsync(Ct);
        var (server, client) = (_broker.EndPoint!.ToString(), host.Services.GetRequiredService<NatsClient>());
        await _broker.DisposeAsync();
        await Eventually.HoldsAsync(() => client.State != ConnectionState.Connected);

        var stored = await Assert.ThrowsAsync<PostriderException>(async () => await Dispatcher(host).PublishAsync(new Rumour("x"), Ct));
        var requested = await Assert.ThrowsAsync<PostriderException>(async () => await Dispatcher(host).SendAsync(new Orphan("x"), Ct));

        Assert.Equal((PostriderError.Unavailable, PostriderError.Unavailable), (stored.Error, requested.Error));
        Assert.StartsWith(
            $"{Messages}Rumour could not be sent to 'rumours.heard' over the transport 'out'. Message to 'rumours.heard': No reply to the request on 'rumours.heard' arrived within 2 s. The client is not connected: it lost {server} at ",
            stored.Message,
            StringComparison.Ordinal);
        Assert.StartsWith(
            $"{Messages}Orphan could not be sent to 'orphans' over the transport 'core'. Message to 'orphans': No reply to the request on 'orphans' arrived within 2 s. The client is not connected: it lost {server} at ",
            requested.Message,
            StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Retry_is_one_line_with_its_number_and_the_dead_letter_an_error_with_its_place_and_the_stack()
    {
        using var host = Build(
            static options => options.ReplaceCommand<Remind>(static (_, _) => throw new InvalidOperationException("no\npaper")),
            static services => services.AddNatsTransport("tickets", s_json).Command<Remind>(Binding("retry")));
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<NatsClient>().PublishAsync("retry.remind", """{"text":"x"}""", ct: Ct);
        await Eventually.HoldsAsync(() => _log.Lines.Any(static line => line.Contains("is a dead letter", StringComparison.Ordinal)));

        Assert.Equal(
            [
                "Warning: Message 1 from tickets at 'retry.remind' failed and will be redelivered: attempt 1 of 2, next in 0.01 s. InvalidOperationException: no paper",
                "Error: Message 1 from tickets at 'retry.remind' is a dead letter (Exhausted, attempt 2 of 2) and was moved to 'retry.dead'. InvalidOperationException: no paper (with a stack)",
            ],
            _log.Lines.Where(static line => line.Contains("Message 1", StringComparison.Ordinal)));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Unreadable_message_is_one_line_without_a_stack()
    {
        using var host = Build(
            static options => options.ReplaceCommand<Remind>(static (_, _) => default),
            static services => services.AddNatsTransport("tickets", s_json).Command<Remind>(Binding("torn")));
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<NatsClient>().PublishAsync("torn.remind", "torn", ct: Ct);
        await Eventually.HoldsAsync(() => _log.Lines.Any(static line => line.Contains("is a dead letter", StringComparison.Ordinal)));

        var line = Assert.Single(_log.Lines, static line => line.Contains("torn.remind", StringComparison.Ordinal) && !line.StartsWith("Information", StringComparison.Ordinal));
        Assert.StartsWith("Error: Message 1 from tickets at 'torn.remind' is a dead letter (Unreadable, attempt 1 of 2) and was moved to 'torn.dead'. PostriderException: ", line, StringComparison.Ordinal);
        Assert.DoesNotContain("(with a stack)", line, StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Spans_are_those_of_messages_and_show_the_failure_of_the_handler()
    {
        var spans = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name is "Postrider.Client" or "Postrider",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        using var host = Build(
            static options => options.ReplaceCommand<Remind>(static (_, _) => throw new InvalidOperationException("no paper")),
            static services => services.AddNatsTransport("tickets", s_json).Command<Remind>(Binding("traced")));
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<NatsClient>().PublishAsync("traced.remind", """{"text":"x"}""", ct: Ct);
        await Eventually.HoldsAsync(() => spans.Count(static span => span.OperationName == "process traced.remind") == 2);

        Assert.DoesNotContain(spans, static span => span.OperationName.StartsWith("$JS.", StringComparison.Ordinal));
        Assert.All(spans.Where(static span => span.OperationName == "process traced.remind"), static span =>
        {
            Assert.Equal((ActivityStatusCode.Error, "no paper"), (span.Status, span.StatusDescription));
            Assert.Equal("System.InvalidOperationException", span.GetTagItem("error.type"));
        });
        await host.StopAsync(Ct);
        // One for each attempt: the client's.
        Assert.All(spans.Where(static span => span.OperationName == "process traced.remind"), static span => Assert.Equal("Postrider.Client", span.Source.Name));
        Assert.Equal(2, spans.Count(static span => span.OperationName == "process traced.remind"));
    }

    private static IDispatcher Dispatcher(IHost host) => host.Services.GetRequiredService<IDispatcher>();

    private static TransportBuilder AddStreams(IServiceCollection services)
        => services.AddPostriderTransport("out", static provider => new NatsStreamTransport(provider.GetRequiredService<NatsClient>(), s_once), s_json);

    private static DurableBinding Binding(string name) => new($"{name}.remind")
    {
        Consumer = "reminders",
        DeadLetter = $"{name}.dead",
        Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 2, Backoff = Backoff.Constant, BaseDelay = TimeSpan.FromMilliseconds(10) },
    };

    private IHost Build(Action<DispatchOptions> options, Action<IServiceCollection> transports)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Postrider:Client:Servers", _broker.Url), new("Postrider:Client:RequestTimeout", "2s")]);
        builder.Logging.AddProvider(_log);
        builder.AddPostriderClient();
        builder.AddPostriderStreams(static needed => needed.Stream(new StreamConfig { Name = "WORK", Subjects = ["retry.*", "torn.*", "traced.*"] }));
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(options);
        transports(builder.Services);
        return builder.Build();
    }

    private sealed class LogLines : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<string> _lines = [];

        public IReadOnlyList<string> Lines => [.. _lines];

        public ILogger CreateLogger(string categoryName) => this;

        public void Dispose()
        {
        }

        IDisposable? ILogger.BeginScope<TState>(TState state) => null;

        bool ILogger.IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

        void ILogger.Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => _lines.Enqueue($"{logLevel}: {formatter(state, exception)}{(exception is null ? "" : " (with a stack)")}");
    }
}
