using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Serialization;
using Postrider.Transport.Aws;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/aws.md, in front of moto.</summary>
public sealed class AwsGuideTests(MotoServer server)
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Host_of_the_guide_handles_what_it_routes_and_redrives_what_failed()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>(StringComparer.Ordinal)
        {
            ["Postrider:Aws:Region"] = MotoServer.Region,
            ["Postrider:Aws:Endpoint"] = $"http://127.0.0.1:{server.Port}",
            ["Postrider:Aws:AccessKey"] = server.AccessKey,
            ["Postrider:Aws:SecretKey"] = server.SecretKey,
            ["Postrider:Aws:Throughput:PollWait"] = "1s",
        });
        builder.Services.AddSingleton<ParcelShelf>();

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider(options => options
            .Route<SendParcel, Unit>("parcels", json, "guide-parcels")
            .RouteNotification<ParcelSent>("parcels", json, "sns/guide-sent"));
        builder.Services.AddAwsTransport("parcels", json, builder.Configuration.GetSection("Postrider:Aws"))
            .Command<SendParcel>(new SqsBinding("guide-parcels")
            {
                MaxConcurrency = 16,
                OrderByKey = true,
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3 },
                DeadLetter = "guide-parcels-dead",
            })
            .Notification<ParcelSent>(new SqsBinding("guide-mail") { Topics = ["guide-sent"] });
        builder.Services.AddHealthChecks().AddPostriderTransport("parcels");

        using var host = builder.Build();
        await host.StartAsync(Ct);
        var shelf = host.Services.GetRequiredService<ParcelShelf>();
        var dispatcher = host.Services.GetRequiredService<IDispatcher>();
        await dispatcher.SendAsync(new SendParcel("tea", "Ada"), Ct);
        Assert.Equal("tea to Ada", await shelf.Sent.Reader.ReadAsync(Ct));
        Assert.Equal("mail about tea", await shelf.Sent.Reader.ReadAsync(Ct));

        await dispatcher.SendAsync(new SendParcel("nothing", "Ada"), Ct);
        var letters = host.Services.GetRequiredKeyedService<ITransport>("parcels").OpenDeadLetters("guide-parcels-dead");
        await Eventually.HoldsAsync(async () => await letters.RedriveAsync(new DeadLetterQuery { Reason = DeadLetterReason.Final }, Ct) == 1);
        Assert.Equal(HealthStatus.Healthy, (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct)).Status);
        await PlanAsync((AwsTransport)host.Services.GetRequiredKeyedService<ITransport>("parcels"));
        await host.StopAsync(Ct);
    }

    private static async Task PlanAsync(AwsTransport transport)
    {
        var binding = new SqsBinding("guide-planned") { DeadLetter = "guide-planned-dead", Events = [new EventBridgeRule("default") { Sources = ["guide.shop"] }] };
        foreach (var change in await transport.PlanAsync(binding))
            Console.WriteLine($"{change.Kind} {change.Name}: {change.Difference ?? "missing"}");
        await transport.ApplyAsync(binding);

        Assert.Empty(await transport.PlanAsync(binding, Ct));
    }
}
