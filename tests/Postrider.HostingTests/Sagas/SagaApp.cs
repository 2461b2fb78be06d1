using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Resilience;
using Postrider.Sagas;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transports;

namespace Postrider.HostingTests.Sagas;

/// <summary>An application with a saga, under the test harness.</summary>
internal sealed class SagaApp : IAsyncDisposable
{
    private readonly IHost _host;

    private SagaApp(IHost host)
    {
        _host = host;
        Harness = host.Services.GetRequiredService<TestHarness>();
        Log = host.Services.GetRequiredService<SagaLog>();
    }

    public static JsonSerializerProvider Json { get; } = new(SagasJson.Default);

    public TestHarness Harness { get; }

    public SagaLog Log { get; }

    public IServiceProvider Services => _host.Services;

    public static async Task<SagaApp> StartAsync(Action<SagaOptions>? configure = null, ISerializerProvider? states = null, Action<IServiceCollection>? add = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<SagaLog>();
        builder.Services.AddPostrider(static options => options
            .Route<AskForPayment, Unit>("orders", Json, "orders.ask")
            .Route<Remind, Unit>("orders", Json, "orders.remind")
            .Route<GiveUp, Unit>("orders", Json, "orders.give-up")
            .RouteNotification<OrderPaid>("orders", Json, "orders.paid"));
        builder.Services.AddPostriderTransport("orders", static _ => new InMemoryTransport(), Json)
            .Command<CheckOut>(Binding("orders.check-out"))
            .Notification<PaymentArrived>(Binding("orders.payment"))
            .Command<AddressChanged>(Binding("orders.address"))
            .Command<Withdraw>(Binding("orders.withdraw"))
            .Command<Remind>(Binding("orders.remind"))
            .Command<GiveUp>(Binding("orders.give-up"))
            .Command<AskForPayment>(Binding("orders.ask"))
            .Notification<OrderPaid>(Binding("orders.paid"));
        builder.Services.AddPostriderSagas(states ?? Json, configure).UseInMemory();
        add?.Invoke(builder.Services);
        builder.Services.AddPostriderTestHarness();
        var host = builder.Build();
        await host.StartAsync();
        return new(host);
    }

    public async Task DeliverAsync<T>(string destination, T message, string? id = null)
    {
        await Harness.DeliverAsync("orders", destination, message, Json, new() { MessageId = id ?? Guid.NewGuid().ToString("N") });
        await Harness.IdleAsync(TestContext.Current.CancellationToken);
    }

    public Task AdvanceAsync(TimeSpan time) => Harness.AdvanceAsync(time, TestContext.Current.CancellationToken);

    public Task<OrderSaga?> FindAsync(string id) => Harness.Sagas.FindAsync<OrderSaga>(id, TestContext.Current.CancellationToken).AsTask();

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        await ((IAsyncDisposable)_host).DisposeAsync();
    }

    private static AtLeastOnceBinding Binding(string source)
        => new(source) { DeadLetter = "orders.dead", Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, Backoff = Backoff.Constant, BaseDelay = TimeSpan.FromMinutes(1) } };
}
