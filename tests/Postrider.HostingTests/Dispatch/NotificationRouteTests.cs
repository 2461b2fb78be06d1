using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

public sealed class NotificationRouteTests
{
    private static readonly JsonSerializerProvider Json = new(OrdersJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Routed_notification_leaves_and_comes_back_to_the_handlers_of_the_same_container()
    {
        using var host = Build(
            options => options.RouteNotification<OrderPlaced>("orders", Json, "orders.placed"),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced("tea"), Ct);

        Assert.Equal("tea", Assert.Single(host.Services.GetRequiredService<OrderNotes>().All).Item);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Routed_notification_without_a_binding_is_handled_by_nobody_here()
    {
        using var host = Build(options => options.RouteNotification<OrderPlaced>("orders", Json, "orders.placed"), static _ => { });
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced("tea"), Ct);

        Assert.Empty(host.Services.GetRequiredService<OrderNotes>().All);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Correlation_and_cause_travel_with_it()
    {
        var seen = new TaskCompletionSource<Headers>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var host = Build(
            options => options.RouteNotification<OrderPlaced>("orders", Json, "orders.placed"),
            transport => transport.Request<PlaceOrder, Receipt>(new TransportBinding("orders.place")).Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        await host.StartAsync(Ct);
        var transport = host.Services.GetRequiredKeyedService<ITransport>("orders");
        await using var listener = await transport.ListenAsync(
            new TransportBinding("orders.placed"),
            (envelope, _) =>
            {
                seen.TrySetResult(envelope.Headers);
                return default;
            },
            Ct);
        var request = new Envelope { Destination = "orders.place", Body = "{\"item\":\"tea\",\"quantity\":1}"u8.ToArray(), Headers = { { HeaderNames.MessageId, "m-1" }, { HeaderNames.CorrelationId, "c-1" } } };

        await transport.RequestAsync(request, Ct);

        var headers = await seen.Task.WaitAsync(Ct);
        Assert.Equal("c-1", headers[HeaderNames.CorrelationId]);
        Assert.Equal("m-1", headers[HeaderNames.CausationId]);
        var (_, correlation, cause) = Assert.Single(host.Services.GetRequiredService<OrderNotes>().All);
        Assert.Equal(("c-1", headers[HeaderNames.MessageId]), (correlation, cause));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Notification_without_a_handler_here_is_forwarded_along_its_route()
    {
        var seen = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var host = Build(
            options => options.RouteNotification<OrderLost>("orders", Json, "orders.lost.onwards"),
            transport => transport.Notification<OrderLost>(new TransportBinding("orders.lost")));
        await host.StartAsync(Ct);
        var transport = host.Services.GetRequiredKeyedService<ITransport>("orders");
        await using var listener = await transport.ListenAsync(
            new TransportBinding("orders.lost.onwards"),
            (envelope, _) =>
            {
                seen.TrySetResult(System.Text.Encoding.UTF8.GetString(envelope.Body.Span));
                return default;
            },
            Ct);

        await transport.SendAsync(new Envelope { Destination = "orders.lost", Body = "{\"item\":\"tea\"}"u8.ToArray() }, Ct);

        Assert.Equal("{\"item\":\"tea\"}", await seen.Task.WaitAsync(Ct));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Route_back_to_its_own_binding_without_a_handler_ends_the_start()
    {
        using var host = Build(
            options => options.RouteNotification<OrderLost>("orders", Json, "orders.lost"),
            transport => transport.Notification<OrderLost>(new TransportBinding("orders.lost")));

        var failure = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.Equal(PostriderError.Configuration, failure.Error);
        Assert.Contains("is bound to 'orders.lost' and routed to 'orders.lost'", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Route_over_a_transport_that_was_not_added_says_so()
    {
        using var host = Build(options => options.RouteNotification<OrderPlaced>("parcels", Json, "orders.placed"), static _ => { });

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced("tea"), Ct));

        Assert.Contains("is routed over the transport 'parcels', which was not added. Added: orders. Call AddPostriderTransport(\"parcels\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"parcels\", …) or AddRabbitMqTransport(\"parcels\", …); for an outbox, AddTransport(\"parcels\", over: …).", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Request_route_of_a_notification_names_the_right_method()
    {
        var services = new ServiceCollection();

        var failure = Assert.Throws<PostriderException>(() => services.AddPostrider(options => options.Route<OrderPlaced, Unit>("orders", Json, "orders.placed")));

        Assert.EndsWith("route it to 'orders.placed' with RouteNotification.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Same_transport_twice_is_refused()
    {
        var services = new ServiceCollection();
        services.AddPostriderTransport("orders", static _ => new InMemoryTransport(), Json);

        Assert.Throws<PostriderException>(() => services.AddPostriderTransport("orders", static _ => new InMemoryTransport(), Json));
    }

    [Fact]
    public async Task Two_processes_share_a_notification_over_nats()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort }, Ct);
        using var sender = Nats(broker, options => options.RouteNotification<OrderPlaced>("orders", Json, "orders.placed"), static _ => { });
        using var receiver = Nats(broker, static _ => { }, transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        await receiver.StartAsync(Ct);
        await sender.StartAsync(Ct);
        await receiver.Services.GetRequiredService<NatsClient>().FlushAsync(Ct);

        await sender.Services.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced("tea"), Ct);

        await Eventually.HoldsAsync(() => receiver.Services.GetRequiredService<OrderNotes>().All.Count == 1);
        Assert.Empty(sender.Services.GetRequiredService<OrderNotes>().All);
        await sender.StopAsync(Ct);
        await receiver.StopAsync(Ct);
    }

    private static IHost Nats(NatsBroker broker, Action<Postrider.Dispatch.DispatchOptions> routes, Action<TransportBuilder> bindings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddPostriderClient(options => options.Servers = [broker.Url!]);
        builder.Services.AddSingleton<OrderNotes>().AddPostrider(routes);
        bindings(builder.Services.AddPostriderTransport("orders", static services => new NatsTransport(services.GetRequiredService<NatsClient>()), Json));
        return builder.Build();
    }

    private static IHost Build(Action<Postrider.Dispatch.DispatchOptions> routes, Action<TransportBuilder> bindings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<OrderNotes>().AddPostrider(routes);
        bindings(builder.Services.AddPostriderTransport("orders", static _ => new InMemoryTransport(), Json));
        return builder.Build();
    }
}
