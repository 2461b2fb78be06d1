using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.Grpc;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/grpc-transport.md, run: two programs, and a stream behind one of them.</summary>
public sealed class GrpcGuideTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-grpc-");

    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(45)).Token;

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Programs_of_the_guide_send_and_receive()
    {
        await using var receiver = await StartReceiverAsync();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Postrider:Grpc:Address", receiver.Urls.Single())]);

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider(options => options
            .Route<SendParcel, Unit>("packing", json, "parcels")
            .RouteNotification<ParcelSent>("packing", json, "parcels.sent"));
        builder.Services.AddGrpcTransport("packing", json, builder.Configuration.GetSection("Postrider:Grpc"));
        builder.Services.AddHealthChecks().AddPostriderTransport("packing");

        using var host = builder.Build();
        await host.StartAsync(Ct);
        var dispatcher = host.Services.GetRequiredService<IDispatcher>();
        await dispatcher.SendAsync(new SendParcel("tea", "Ada"), Ct);
        await dispatcher.PublishAsync(new ParcelSent("coffee"), Ct);
        var shelf = receiver.Services.GetRequiredService<ParcelShelf>();
        Assert.Equal("tea to Ada", await shelf.Sent.Reader.ReadAsync(Ct));
        Assert.Equal(["mail about coffee", "mail about tea"], new[] { await shelf.Sent.Reader.ReadAsync(Ct), await shelf.Sent.Reader.ReadAsync(Ct) }.Order(StringComparer.Ordinal));

        var refused = await Assert.ThrowsAsync<RemoteException>(async () => await dispatcher.SendAsync(new SendParcel("nothing", "Ada"), Ct));
        Assert.Equal(("Refused", "'parcels' answered Refused: An empty parcel is not sent."), (refused.Code, refused.Message));
        Assert.Equal(HealthStatus.Healthy, (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct)).Status);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Receipt_of_a_binding_with_a_store_says_stored_and_the_message_waits_for_its_handler()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, JetStream = new() { StoreDirectory = _folder.FullName } }, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "PARCELS", Subjects = ["parcels.in", "parcels.orders"], Storage = StreamStorage.Memory });
        var builder = Receiver();
        builder.Services.AddSingleton(client);

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider();
        builder.Services.AddNatsStreamTransport("streams", json);
        builder.Services.AddGrpcTransport("inbox", json)
            .Command<SendParcel>(new GrpcBinding("parcels")
            {
                Store = new GrpcStore("streams", new DurableBinding("parcels.orders") { Consumer = "orders" }),
            })
            .Notification<ParcelSent>(new GrpcBinding("parcels.sent")
            {
                Store = new GrpcStore("streams", new DurableBinding("parcels.in") { Consumer = "packing" }),
            });

        await using var app = builder.Build();
        app.MapGrpcTransport("inbox");
        await app.StartAsync(Ct);
        using var channel = global::Grpc.Net.Client.GrpcChannel.ForAddress(app.Urls.Single());
        var receipt = await new Inbox.InboxClient(channel).SendAsync(
            new Message { Destination = "parcels.sent", MessageId = "m", Body = Google.Protobuf.ByteString.CopyFromUtf8("""{"item":"tea"}""") }, cancellationToken: Ct);

        Assert.True(receipt.Stored);
        Assert.Equal("mail about tea", await app.Services.GetRequiredService<ParcelShelf>().Sent.Reader.ReadAsync(Ct));
        var unanswered = await Assert.ThrowsAsync<global::Grpc.Core.RpcException>(async () => await new Inbox.InboxClient(channel).RequestAsync(new Message { Destination = "parcels.sent" }, cancellationToken: Ct));
        Assert.Equal(global::Grpc.Core.StatusCode.FailedPrecondition, unanswered.StatusCode);
        await SendStoredAsync(app.Urls.Single(), json, new("nothing", "Ada"));
        await SendStoredAsync(app.Urls.Single(), json, new("coffee", "Ada"));
        Assert.Equal("coffee to Ada", await app.Services.GetRequiredService<ParcelShelf>().Sent.Reader.ReadAsync(Ct));
    }

    // The handler refuses a parcel of nothing: its sender does not wait for that.
    private async Task SendStoredAsync(string address, JsonSerializerProvider json, SendParcel command)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(options => options.Route<SendParcel, Unit>("packing", json, "parcels"));
        builder.Services.AddGrpcTransport("packing", json, options => options.Address = new Uri(address));
        using var host = builder.Build();
        await host.StartAsync(Ct);
        await host.Services.GetRequiredService<IDispatcher>().SendAsync(command, Ct);
        await host.StopAsync(Ct);
    }

    private async Task<WebApplication> StartReceiverAsync()
    {
        var builder = Receiver();

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider();
        builder.Services.AddGrpcTransport("inbox", json)
            .Command<SendParcel>(new GrpcBinding("parcels") { MaxConcurrency = 16, OrderByKey = true })
            .Notification<ParcelSent>(new GrpcBinding("parcels.sent")
            {
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(200) },
            });

        var app = builder.Build();
        app.MapGrpcTransport("inbox");
        await app.StartAsync(Ct);
        return app;
    }

    private static WebApplicationBuilder Receiver()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddSingleton<ParcelShelf>();
        return builder;
    }
}
