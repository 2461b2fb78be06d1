using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.Resilience;
using Postrider.Sagas;
using Postrider.Transports;

namespace Postrider.OutboxTests.Harness;

/// <summary>An application whose sagas are rows beside the outbox.</summary>
internal sealed class ParcelApp : IAsyncDisposable
{
    private readonly IHost _host;

    private ParcelApp(TestDatabase database, TimeProvider time, bool withInbox, Action<OutboxBuilder, IServiceCollection>? use, bool throughOutbox, InMemoryTransport? wire)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(time);
        builder.Services.AddSingleton(Log);
        var over = throughOutbox ? "outbox" : "wire";
        builder.Services.AddPostrider(options => options
            .Route<BillParcel, Unit>(over, ParcelsJson.Provider, "bill")
            .Route<ParcelLost, Unit>(over, ParcelsJson.Provider, "lost"));
        Wire = wire ?? new InMemoryTransport(time);
        var transport = builder.Services.AddPostriderTransport("wire", _ => Wire, ParcelsJson.Provider)
            .Command<SendParcel>(Binding("send")).Command<ParcelWeighed>(Binding("weighed")).Command<ParcelLost>(Binding("lost")).Command<BillParcel>(Binding("bill"));
        if (withInbox)
            transport.UseInbox("parcels");
        var outbox = builder.Services.AddPostriderOutbox(static options => (options.PollInterval, options.CleanupInterval) = (TimeSpan.FromMilliseconds(50), TimeSpan.FromSeconds(1)));
        if (use is null)
            outbox.UseDataSource(_ => database.Source, database.Kind);
        else
            use(outbox, builder.Services);
        outbox.AddTransport("outbox", over: "wire");
        builder.Services.AddPostriderSagas(ParcelsJson.Provider, static options => options.KeepFor = TimeSpan.FromDays(1)).UseOutbox();
        _host = builder.Build();
    }

    public InMemoryTransport Wire { get; }

    public ParcelLog Log { get; } = new();

    public static async Task<ParcelApp> StartAsync(
        TestDatabase database, TimeProvider? time = null, bool withInbox = false, Action<OutboxBuilder, IServiceCollection>? use = null, bool throughOutbox = true, InMemoryTransport? wire = null)
    {
        var app = new ParcelApp(database, time ?? TimeProvider.System, withInbox, use, throughOutbox, wire);
        await app._host.StartAsync();
        return app;
    }

    /// <summary>Has a message arrive. In memory the sender's task ends with the first attempt.</summary>
    public ValueTask DeliverAsync(string destination, string body, string? id = null)
        => Wire.SendAsync(new Envelope { Destination = destination, Headers = { { HeaderNames.MessageId, id ?? Guid.NewGuid().ToString("N") } }, Body = System.Text.Encoding.UTF8.GetBytes(body) }, CancellationToken.None);

    public Task<ParcelSaga?> FindAsync(string id) => _host.Services.GetRequiredService<SagaStates>().FindAsync<ParcelSaga>(id).AsTask();

    public Task<bool> IsCompletedAsync(string id) => _host.Services.GetRequiredService<SagaStates>().IsCompletedAsync<ParcelSaga>(id).AsTask();

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        await ((IAsyncDisposable)_host).DisposeAsync();
    }

    private static AtLeastOnceBinding Binding(string source)
        => new(source) { MaxConcurrency = 100, DeadLetter = "dead", Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 2, Backoff = Backoff.Constant, BaseDelay = TimeSpan.FromMilliseconds(50) } };
}
