using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/cloudevents.md, run.</summary>
public sealed class CloudEventsGuideTests
{
    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(45)).Token;

    [Fact]
    public async Task Route_of_the_guide_writes_an_event_that_its_binding_reads()
    {
        await using var transport = new InMemoryTransport();
        var json = new JsonSerializerProvider(ParcelsJson.Default);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var services = builder.Services;
        services.AddSingleton<ParcelShelf>();

        var events = new CloudEventOptions("/parcels") { Form = CloudEventForm.Structured, Type = "com.example.parcel.sent" };
        services.AddPostrider(options => options.RouteNotification<ParcelSent>("parcels", json, new SendTarget("parcels.sent") { CloudEvents = events }));
        services.AddPostriderTransport("parcels", _ => transport, json)
            .Notification<ParcelSent>(new TransportBinding("parcels.sent") { CloudEvents = new CloudEventOptions("/packing") });

        using var host = builder.Build();
        await host.StartAsync(Ct);
        byte[]? body = null;
        await using var other = await transport.ListenAsync(
            new TransportBinding("parcels.sent"),
            (envelope, _) =>
            {
                body = envelope.Body.ToArray();
                return default;
            },
            Ct);
        await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new ParcelSent("tea"), Ct);

        Assert.Equal("mail about tea", await host.Services.GetRequiredService<ParcelShelf>().Sent.Reader.ReadAsync(Ct));
        using var document = JsonDocument.Parse(body!);
        Assert.Equal(("/parcels", "com.example.parcel.sent", "tea"), (document.RootElement.GetProperty("source").GetString(), document.RootElement.GetProperty("type").GetString(), document.RootElement.GetProperty("data").GetProperty("item").GetString()));
        await host.StopAsync(Ct);
    }
}
