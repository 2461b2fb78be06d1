using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Routing;
using Postrider.Client;
using Postrider.Serialization;
using Postrider.Transport.Nats;

namespace Postrider.Routing;

/// <summary>The other process of the NATS rows: publishes as many messages as each line of its input asks for.</summary>
internal static class NatsPublisher
{
    public const string Subject = "arrived";
    public const string BareSubject = "bare";

    public static async Task<int> RunAsync(string url)
    {
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [url] });
        await using var transport = new NatsTransport(client);
        await using var services = new ServiceCollection()
            .AddPostrider(options => options.RouteNotification<Arrived>(_ => transport, new JsonSerializerProvider(RoutingJson.Default), Subject))
            .BuildServiceProvider();
        var dispatcher = services.GetRequiredService<IDispatcher>();
        var message = new Arrived(7, "tea");
        var body = """{"number":7,"item":"tea"}"""u8.ToArray();
        while (await Console.In.ReadLineAsync() is { } line)
        {
            var words = line.Split(' ');
            var count = int.Parse(words[1], CultureInfo.InvariantCulture);
            if (words[0] == BareSubject)
            {
                for (var i = 0; i < count; i++)
                    await client.PublishAsync(BareSubject, body);
            }
            else
            {
                for (var i = 0; i < count; i++)
                    await dispatcher.PublishAsync(message);
            }
        }

        return 0;
    }
}
