using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.ClaimChecks;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.ObjectStore;
using Postrider.Serialization;
using Postrider.Transport.Nats;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/claim-check.md, run.</summary>
public sealed class ClaimCheckGuideTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Picture_of_the_guide_arrives()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-claim-guide-");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = folder.FullName } }, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "pictures", Subjects = ["pictures.>"] }, ct: Ct);
        var json = new JsonSerializerProvider(PictureJson.Default);
        var log = new PictureLog();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(client).AddSingleton(log);
        builder.Services.AddPostrider(options => options.RouteNotification<PictureTaken>("pictures", json, "pictures.store"));

        builder.Services.AddNatsStreamTransport("pictures", json)
            .UseClaimCheck(services => new NatsClaimStore(services.GetRequiredService<NatsClient>(), new ObjectBucketConfig { Bucket = "bodies", TimeToLive = TimeSpan.FromDays(14) }))
            .Notification<PictureTaken>(new DurableBinding("pictures.store") { Consumer = "store" });

        using var host = builder.Build();
        await host.StartAsync(Ct);
        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new PictureTaken("large", new string('x', 2_000_000)), Ct);
        Assert.Equal(2_000_000, (await log.Stored.Reader.ReadAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct)).Pixels.Length);
        await host.StopAsync(Ct);
        folder.Delete(recursive: true);
    }
}
