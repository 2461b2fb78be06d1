using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Serialization;
using Postrider.Transport.ServiceBus;
using Postrider.Transports;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/service-bus.md, in front of the stand-in.</summary>
public sealed class ServiceBusGuideTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Host_of_the_guide_handles_what_it_routes_and_redrives_what_failed()
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("guide.parcels", new StandInSettings { RequiresSession = true });
        standIn.CreateTopic("guide.sent", "mail");
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>(StringComparer.Ordinal) { ["Postrider:ServiceBus:ConnectionString"] = standIn.ConnectionString });
        builder.Services.AddSingleton<ParcelShelf>();

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider(options => options
            .Route<SendParcel, Unit>("parcels", json, "guide.parcels")
            .RouteNotification<ParcelSent>("parcels", json, "guide.sent"));
        builder.Services.AddServiceBusTransport("parcels", json, builder.Configuration.GetSection("Postrider:ServiceBus"))
            .Command<SendParcel>(new ServiceBusBinding("guide.parcels")
            {
                Sessions = true,
                MaxConcurrency = 16,
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(200) },
            })
            .Notification<ParcelSent>(new ServiceBusBinding("guide.sent/subscriptions/mail"));
        builder.Services.AddHealthChecks().AddPostriderTransport("parcels");

        using var host = builder.Build();
        await host.StartAsync(Ct);
        var shelf = host.Services.GetRequiredService<ParcelShelf>();
        var dispatcher = host.Services.GetRequiredService<IDispatcher>();
        await dispatcher.SendAsync(new SendParcel("tea", "Ada"), Ct);
        Assert.Equal("tea to Ada", await shelf.Sent.Reader.ReadAsync(Ct));
        Assert.Equal("mail about tea", await shelf.Sent.Reader.ReadAsync(Ct));

        await dispatcher.SendAsync(new SendParcel("nothing", "Ada"), Ct);
        await Eventually.HoldsAsync(async () => await RedriveAsync(host.Services) == 1);
        Assert.Equal(HealthStatus.Healthy, (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct)).Status);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Credential_of_the_guide_gives_the_tokens()
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("orders");
        var (credential, options) = (new Credential(), new ServiceBusOptions());

        options.ConnectionString = "Endpoint=sb://shop.servicebus.windows.net/";
        options.TokenProvider = async (audience, ct) =>
        {
            var token = await credential.GetTokenAsync("https://servicebus.azure.net/.default", ct);
            return new ServiceBusToken(token.Value, token.ExpiresOn);
        };

        options.ConnectionString = $"Endpoint=sb://127.0.0.1:{standIn.Port}/;UseDevelopmentEmulator=true";
        await using var transport = new ServiceBusTransport(options);
        await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct);

        Assert.Equal((1, 1), (standIn.CountOf("orders"), standIn.Tokens.Count));
    }

    private static async Task<long> RedriveAsync(IServiceProvider services)
    {
        var dead = services.GetRequiredKeyedService<ITransport>("parcels").OpenDeadLetters("guide.parcels/$deadletterqueue");
        var count = await dead.RedriveAsync(new DeadLetterQuery { Reason = DeadLetterReason.Final });
        return count;
    }

    private sealed class Credential
    {
        public Task<(string Value, DateTimeOffset ExpiresOn)> GetTokenAsync(string scope, CancellationToken ct)
            => Task.FromResult((scope.Length > 0 && !ct.IsCancellationRequested ? StandInTokens.Jwt : "", DateTimeOffset.UtcNow.AddHours(1)));
    }
}
