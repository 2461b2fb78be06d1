using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Serialization;
using Postrider.Transport.Kafka;
using Postrider.Transports;
using Postrider.TransportTests.Kafka;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/kafka.md, in front of the mock cluster.</summary>
public sealed class KafkaGuideTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Host_of_the_guide_handles_what_it_routes_and_redrives_what_failed()
    {
        using var cluster = new MockCluster();
        foreach (var topic in (string[])["guide.parcels", "guide.parcels.dead", "guide.sent"])
            cluster.CreateTopic(topic);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>(StringComparer.Ordinal) { ["Postrider:Kafka:Servers"] = cluster.Servers, ["Postrider:Kafka:Retry:SessionTimeout"] = "3s" });
        builder.Services.AddSingleton<ParcelShelf>();

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider(options => options
            .Route<SendParcel, Unit>("parcels", json, "guide.parcels")
            .RouteNotification<ParcelSent>("parcels", json, "guide.sent"));
        builder.Services.AddKafkaTransport("parcels", json, builder.Configuration.GetSection("Postrider:Kafka"))
            .Command<SendParcel>(new KafkaBinding("guide.parcels")
            {
                Group = "packing",
                MaxConcurrency = 16,
                OrderByKey = true,
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(200) },
                DeadLetter = "guide.parcels.dead",
            })
            .Notification<ParcelSent>(new KafkaBinding("guide.sent") { Group = "mail" });
        builder.Services.AddHealthChecks().AddPostriderTransport("parcels");

        using var host = builder.Build();
        await host.StartAsync(Ct);
        var shelf = host.Services.GetRequiredService<ParcelShelf>();
        var dispatcher = host.Services.GetRequiredService<IDispatcher>();
        await dispatcher.SendAsync(new SendParcel("tea", "Ada"), Ct);
        Assert.Equal("tea to Ada", await shelf.Sent.Reader.ReadAsync(Ct));
        Assert.Equal("mail about tea", await shelf.Sent.Reader.ReadAsync(Ct));

        await dispatcher.SendAsync(new SendParcel("nothing", "Ada"), Ct);
        var letters = host.Services.GetRequiredKeyedService<ITransport>("parcels").OpenDeadLetters("guide.parcels.dead");
        await Eventually.HoldsAsync(async () => await letters.RedriveAsync(new DeadLetterQuery { Reason = DeadLetterReason.Final }, Ct) == 1);
        Assert.Equal(HealthStatus.Healthy, (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct)).Status);
        await host.StopAsync(Ct);
    }
}
