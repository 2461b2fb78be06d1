using System.Buffers;
using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.Routing;

/// <summary>A process that publishes, and this one with the broker and the handler.</summary>
internal static class NatsRows
{
    private const double MaxMicroseconds = 2; // 500,000 messages a second

    // Fewer than a subscription keeps: what comes faster than it is handled is not dropped.
    private const int Count = 60_000;

    public static async Task RunAsync(TurnTaking turns, TurnReport report)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
        await using var transport = new NatsTransport(client);
        await using var services = new ServiceCollection().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(transport, new JsonSerializerProvider(RoutingJson.Default), services).Notification<Arrived>(new TransportBinding(NatsPublisher.Subject));
        await pump.StartAsync();
        await using var bare = client.Subscribe<IMemoryOwner<byte>>(NatsPublisher.BareSubject, static (message, _) =>
        {
            message.Data.Dispose();
            Arrivals.Hit();
            return default;
        });
        await client.FlushAsync(CancellationToken.None);
        using var publisher = Process.Start(new ProcessStartInfo(Environment.ProcessPath!, ["publish-nats", broker.Url!]) { RedirectStandardInput = true })!;

        var cells = await turns.TakeAsync("NATS, two processes", [Turn(Benchmarks.Turns.Turn.Ours, NatsPublisher.Subject), Turn("bare: the client", NatsPublisher.BareSubject)]);
        report.Add(cells, static ours => [new TurnTarget("us a message", ours.Value, MaxMicroseconds)]);
        publisher.StandardInput.Close();
        await publisher.WaitForExitAsync();

        RateTurn Turn(string subject, string destination) => new(subject, Count, async () =>
        {
            var handled = Arrivals.Expect(Count);
            await publisher.StandardInput.WriteLineAsync($"{destination} {Count}");
            await publisher.StandardInput.FlushAsync();
            await handled;
        });
    }
}
