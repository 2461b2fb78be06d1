using Microsoft.Extensions.DependencyInjection;
using Postrider.HostingTests.Dispatch;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.HostingTests.Testing;

/// <summary>Sources of a running host are paused and resumed.</summary>
public sealed class TransportReceiverTests
{
    private static readonly JsonSerializerProvider Json = new(OrdersJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Paused_source_receives_nothing_until_it_is_resumed_while_others_do()
    {
        await using var app = await StartAsync();
        var receiver = app.Services.GetRequiredKeyedService<ITransportReceiver>("orders");
        Assert.Equal(["orders.place", "orders.placed"], receiver.Sources);
        Assert.Empty(receiver.PausedSources);

        await receiver.PauseAsync("orders.place", Ct);
        await receiver.PauseAsync("orders.place", Ct);
        Assert.Equal(["orders.place"], receiver.PausedSources);
        await app.Harness.DeliverAsync("orders", "orders.place", new PlaceOrder("lost", 1), Json);
        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("other"), Json);
        await app.Harness.IdleAsync(Ct);
        Assert.Empty(app.Harness.Consumed<PlaceOrder>());
        Assert.Equal("other", Assert.Single(app.Harness.Consumed<OrderPlaced>()).Message.Item);

        await receiver.ResumeAsync("orders.place", Ct);
        await receiver.ResumeAsync(ct: Ct);
        Assert.Empty(receiver.PausedSources);
        await app.Harness.DeliverAsync("orders", "orders.place", new PlaceOrder("tea", 1), Json);
        await app.Harness.IdleAsync(Ct);
        Assert.Equal("tea", Assert.Single(app.Harness.Consumed<PlaceOrder>()).Message.Item);
    }

    [Fact]
    public async Task Pause_of_all_waits_for_the_handlers_that_run()
    {
        var (begun, release) = (new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        await using var app = await StartAsync(async () =>
        {
            begun.TrySetResult();
            await release.Task;
        });
        var receiver = app.Services.GetRequiredKeyedService<ITransportReceiver>("orders");
        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), Json);
        await begun.Task.WaitAsync(Ct);

        var pausing = receiver.PauseAsync(ct: Ct).AsTask();
        Assert.False(pausing.IsCompleted);
        release.SetResult();
        await pausing.WaitAsync(Ct);

        Assert.Equal(receiver.Sources, receiver.PausedSources);
        Assert.Single(app.Harness.Consumed<OrderPlaced>());
    }

    [Fact]
    public async Task Unknown_source_and_a_host_that_does_not_run_are_errors_that_say_what_there_is()
    {
        var app = await StartAsync();
        var receiver = app.Services.GetRequiredKeyedService<ITransportReceiver>("orders");

        var unknown = await Assert.ThrowsAsync<PostriderException>(async () => await receiver.PauseAsync("orders.plaice", Ct));
        Assert.Equal("The transport 'orders' has no binding at 'orders.plaice', but at: orders.place, orders.placed.", unknown.Message);
        await app.DisposeAsync();
        var ended = await Assert.ThrowsAsync<PostriderException>(async () => await receiver.ResumeAsync(ct: Ct));

        Assert.Equal(PostriderError.Configuration, ended.Error);
        Assert.Contains("the host does not run", ended.Message, StringComparison.Ordinal);
        Assert.Equal(receiver.Sources, receiver.PausedSources);
    }

    private static Task<HarnessApp> StartAsync(Func<Task>? handle = null) => HarnessApp.StartAsync(
        options => options.ReplaceNotification<OrderPlaced>(async (_, _) => await (handle?.Invoke() ?? Task.CompletedTask)),
        transport => transport.Request<PlaceOrder, Receipt>(new TransportBinding("orders.place")).Notification<OrderPlaced>(new TransportBinding("orders.placed")));
}
