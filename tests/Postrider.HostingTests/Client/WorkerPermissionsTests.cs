using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.HostingTests.Dispatch;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Client;

/// <summary>The permissions that docs/guide/jetstream.md lists for processes with handlers: they are sufficient, and each is needed.</summary>
public sealed class WorkerPermissionsTests
{
    private static readonly JsonSerializerProvider s_json = new(OrdersJson.Default);

    private static readonly string[] s_worker =
        ["$JS.API.STREAM.NAMES", "$JS.API.CONSUMER.CREATE.ORDERS.>", "$JS.API.CONSUMER.MSG.NEXT.ORDERS.packing", "$JS.ACK.ORDERS.packing.>", "lost.>"];

    private static readonly string[] s_bound =
        ["$JS.API.CONSUMER.INFO.ORDERS.packing", "$JS.API.CONSUMER.MSG.NEXT.ORDERS.packing", "$JS.ACK.ORDERS.packing.>", "lost.>"];

    private static readonly string[] s_shown =
        ["$JS.API.STREAM.INFO.LOST", "$JS.API.STREAM.MSG.GET.LOST", "$JS.API.STREAM.MSG.DELETE.LOST", "orders.placed"];

    private static readonly string[] s_shownSubscriptions = ["$SRV.>", "postrider.handlers", "postrider.deadletters.>"];

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Worker_that_creates_its_consumer_has_what_it_needs()
        => Assert.Equal([], await RunAsync(s_worker, bindOnly: false));

    [Fact]
    public async Task Worker_of_an_existing_consumer_has_what_it_needs()
        => Assert.Equal([], await RunAsync(s_bound, bindOnly: true));

    [Fact]
    public async Task Worker_that_provisions_its_streams_has_what_it_needs()
        => Assert.Equal([], await RunAsync([.. s_worker, "$JS.API.STREAM.UPDATE.ORDERS", "$JS.API.STREAM.UPDATE.LOST", "$JS.API.STREAM.CREATE.ORDERS", "$JS.API.STREAM.CREATE.LOST"], bindOnly: false, provisions: true));

    [Theory]
    [InlineData("$JS.API.STREAM.NAMES")]
    [InlineData("$JS.API.CONSUMER.CREATE.ORDERS.>")]
    [InlineData("$JS.API.CONSUMER.MSG.NEXT.ORDERS.packing")]
    [InlineData("$JS.ACK.ORDERS.packing.>")]
    [InlineData("lost.>")]
    public async Task Nothing_of_it_can_be_left_out(string permission)
        => Assert.NotEqual([], await RunAsync([.. s_worker.Where(other => other != permission)], bindOnly: false));

    [Fact]
    public async Task Worker_on_the_dashboard_has_what_it_needs()
        => Assert.Equal([], await RunAsync([.. s_worker, .. s_shown], bindOnly: false, shownAs: s_shownSubscriptions));

    [Theory]
    [InlineData("$JS.API.STREAM.INFO.LOST")]
    [InlineData("$JS.API.STREAM.MSG.GET.LOST")]
    [InlineData("$JS.API.STREAM.MSG.DELETE.LOST")]
    [InlineData("orders.placed")]
    [InlineData("$SRV.>")]
    [InlineData("postrider.handlers")]
    [InlineData("postrider.deadletters.>")]
    public async Task Nothing_of_what_the_dashboard_needs_can_be_left_out(string permission)
        => Assert.NotEqual([], await RunAsync(
            [.. s_worker, .. s_shown.Where(other => other != permission)], bindOnly: false, shownAs: [.. s_shownSubscriptions.Where(other => other != permission)]));

    // What went wrong: the start's failure, what the client reports, or a message that is not settled.
    private static async Task<IReadOnlyList<string>> RunAsync(IReadOnlyList<string> publish, bool bindOnly, bool provisions = false, IReadOnlyList<string>? shownAs = null)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            JetStream = new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("permissions").FullName },
            Authorization = new AuthorizationOptions
            {
                Users =
                [
                    new UserOptions { Name = "admin", Password = "a" },
                    new UserOptions { Name = "worker", Password = "w", Permissions = new PermissionOptions { Publish = new SubjectPermission { Allow = publish }, Subscribe = new SubjectPermission { Allow = ["_INBOX.>", .. shownAs ?? []] }, Responses = shownAs is null ? null : new() } },
                ],
            },
        }, Ct);
        await using var admin = await NatsClient.ConnectAsync(broker.Url!, static options => (options.User, options.Password) = ("admin", "a"), Ct);
        var streams = admin.CreateJetStreamContext();
        if (!provisions)
        {
            await streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
            await streams.CreateStreamAsync(new StreamConfig { Name = "LOST", Subjects = ["lost.>"] }, Ct);
        }

        if (bindOnly)
            await streams.CreateOrUpdateConsumerAsync("ORDERS", new ConsumerConfig { DurableName = "packing", AckPolicy = AckPolicy.Explicit, FilterSubject = "orders.placed" }, Ct);

        var problems = new ConcurrentQueue<string>();
        using var host = Build(broker.Url!, bindOnly, provisions, shownAs is not null, problems);
        try
        {
            await host.StartAsync(Ct);
        }
        catch (Exception failure) when (failure is NatsClientException or PostriderException)
        {
            return [failure.Message];
        }

        await streams.PublishAsync("orders.placed", new OrderPlaced("tea"), serializer: s_json.Get<OrderPlaced>(), ct: Ct);
        // Becomes a dead letter.
        await streams.PublishAsync("orders.placed", "no JSON", ct: Ct);
        for (var i = 0; i < 100 && problems.IsEmpty && !await IsSettledAsync(); i++)
            await Task.Delay(50, Ct);
        if (problems.IsEmpty && !await IsSettledAsync())
            problems.Enqueue("A message is not settled.");
        if (shownAs is not null && problems.IsEmpty) await RedriveAsync();
        await host.StopAsync(Ct);
        return [.. problems];

        // What the dashboard does: it asks for the handlers and for the dead letters, and sends one back.
        async Task RedriveAsync()
        {
            try
            {
                await admin.RequestAsync<byte[], string>("postrider.handlers", [], ct: Ct);
                var reply = await admin.RequestAsync<string, string>("postrider.deadletters.redrive", """{"transport":"orders","source":"lost.orders.placed","id":"1"}""", ct: Ct);
                if (reply.Data?.Contains("\"count\":1", StringComparison.Ordinal) != true) problems.Enqueue($"{reply.Data} {reply.Headers}");
            }
            catch (NatsClientException failure)
            {
                problems.Enqueue(failure.Message);
            }
        }

        async Task<bool> IsSettledAsync()
        {
            var consumer = await streams.GetConsumerAsync("ORDERS", "packing", Ct);
            var lost = await streams.GetStreamAsync("LOST", ct: Ct);
            return consumer.Info is { PendingCount: 0, AckPendingCount: 0 } && lost.Info.State.Messages == 1;
        }
    }

    private static IHost Build(string url, bool bindOnly, bool provisions, bool isShown, ConcurrentQueue<string> problems)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddPostriderClient(options =>
        {
            (options.Servers, options.User, options.Password, options.RequestTimeout) = ([url], "worker", "w", TimeSpan.FromSeconds(1));
        });
        if (provisions)
        {
            builder.AddPostriderStreams(static needed => needed
                .Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] })
                .Stream(new StreamConfig { Name = "LOST", Subjects = ["lost.>"] }));
        }

        builder.Services.AddSingleton<ILoggerFactory>(new PermissionLog(problems)).AddSingleton(typeof(ILogger<>), typeof(Logger<>));
        builder.Services.AddSingleton<OrderNotes>().AddPostrider();
        builder.Services.AddNatsTransport("orders", s_json).Notification<OrderPlaced>(new DurableBinding("orders.placed")
        {
            Consumer = "packing",
            BindOnly = bindOnly,
            Stream = bindOnly ? "ORDERS" : null,
            Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 1 },
            DeadLetter = "lost.orders.placed",
        });
        if (isShown) builder.Services.AddPostriderDashboardServices("worker");
        return builder.Build();
    }

    // Keeps the violations that the client logs.
    private sealed class PermissionLog(ConcurrentQueue<string> problems) : ILoggerFactory, ILogger
    {
        public void AddProvider(ILoggerProvider provider)
        {
        }

        public ILogger CreateLogger(string categoryName) => this;

        public void Dispose()
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if ($"{formatter(state, exception)} {exception?.Message}" is var text && text.Contains("Permissions Violation", StringComparison.OrdinalIgnoreCase))
                problems.Enqueue(text);
        }
    }
}
