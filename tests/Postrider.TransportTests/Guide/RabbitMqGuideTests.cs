using System.Text.Json.Serialization;
using System.Threading.Channels;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/rabbitmq.md, run.</summary>
public sealed class RabbitMqGuideTests(RabbitMqHarness harness) : IClassFixture<RabbitMqHarness>
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Host_of_the_guide_handles_what_it_routes_and_redrives_what_failed()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Postrider:RabbitMq:Server", harness.Options.Server.ToString())]);
        builder.Services.AddSingleton<ParcelShelf>();

        var json = new JsonSerializerProvider(ParcelsJson.Default);
        builder.Services.AddPostrider(options => options
            .Route<SendParcel, Unit>("parcels", json, "guide.parcels")
            .RouteNotification<ParcelSent>("parcels", json, "guide.events/parcel.sent"));
        builder.Services.AddRabbitMqTransport("parcels", json, builder.Configuration.GetSection("Postrider:RabbitMq"))
            .Command<SendParcel>(new RabbitMqBinding("guide.parcels")
            {
                MaxConcurrency = 16,
                OrderByKey = true,
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(200) },
                DeadLetter = "guide.parcels.dead",
            })
            .Notification<ParcelSent>(new RabbitMqBinding("guide.mail") { Topics = ["guide.events/parcel.*"] });
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
        var health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct);
        Assert.True(health.Status == HealthStatus.Healthy, string.Join("; ", health.Entries.Values.Select(static entry => $"{entry.Description} {entry.Exception}")));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Topology_of_the_guide_is_planned()
    {
        var transport = harness.RabbitMq;

        var binding = new RabbitMqBinding("guide.planned") { DeadLetter = "guide.planned.dead", Topics = ["guide.planned.events/#"] };
        foreach (var change in await transport.PlanAsync(binding))
            Console.WriteLine($"{change.Kind} {change.Name}: {change.Difference ?? "missing"}");
        await transport.ApplyAsync(binding);

        Assert.Empty(await transport.PlanAsync(binding, Ct));
    }

    private static async Task<long> RedriveAsync(IServiceProvider services)
    {
        var dead = services.GetRequiredKeyedService<ITransport>("parcels").OpenDeadLetters("guide.parcels.dead");
        await foreach (var letter in dead.ListAsync(new DeadLetterQuery { Max = 100 }))
            Console.WriteLine($"{letter.Id} from {letter.Origin}: {letter.Reason}, {letter.Error}");
        var count = await dead.RedriveAsync(new DeadLetterQuery { Reason = DeadLetterReason.Final });
        return count;
    }
}

internal sealed partial record SendParcel(string Item, string Name) : ICommand, IKeyed
{
    [JsonIgnore] public string Key => Name;
}

internal sealed partial record ParcelSent(string Item) : INotification;

internal static class ParcelHandlers
{
    [Handler]
    public static async Task Send(SendParcel command, MessageContext context, ParcelShelf shelf, CancellationToken ct)
    {
        if (command.Item == "nothing")
            throw new PostriderException(PostriderError.Refused, "An empty parcel is not sent.");
        shelf.Sent.Writer.TryWrite($"{command.Item} to {command.Name}");
        await context.Follow().PublishAsync(new ParcelSent(command.Item), ct);
    }

    [Handler]
    public static void Mail(ParcelSent sent, ParcelShelf shelf) => shelf.Sent.Writer.TryWrite($"mail about {sent.Item}");
}

internal sealed class ParcelShelf
{
    public Channel<string> Sent { get; } = Channel.CreateUnbounded<string>();
}

[JsonSerializable(typeof(SendParcel))]
[JsonSerializable(typeof(ParcelSent))]
internal sealed partial class ParcelsJson : JsonSerializerContext;
