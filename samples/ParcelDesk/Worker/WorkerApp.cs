using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Resilience;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Serialization;
using Postrider.Transport.Nats;

namespace Postrider.Samples.ParcelDesk.Worker;

/// <summary>The worker: bills the parcels that the desk accepted, with retries and dead letters, and requests prices from the desk.</summary>
public static class WorkerApp
{
    /// <summary>Builds the application.</summary>
    /// <param name="args">Configuration, for example <c>--Postrider:Client:Servers nats://localhost:4222</c>.</param>
    /// <param name="configure">Changes the builder, in tests.</param>
    public static IHost Build(string[] args, Action<HostApplicationBuilder>? configure = null)
    {
        var builder = Host.CreateApplicationBuilder(args);
        var json = new JsonSerializerProvider(ParcelsJson.Default);

        builder.AddPostriderClient();
        builder.AddPostriderStreams(needed => needed
            .Stream(new StreamConfig { Name = "PARCELS", Subjects = ["parcels.>"] })
            .Stream(new StreamConfig { Name = "PARCELS_LOST", Subjects = ["lost.parcels.>"] }));

        // Messages of the stream: five attempts, then a dead letter.
        builder.Services.AddPostrider(options => options.Telemetry = true);
        builder.Services.AddNatsTransport("parcels", json)
            .Notification<ParcelAccepted>(new DurableBinding("parcels.accepted")
            {
                Consumer = "billing",
                Retry = DurableBinding.DefaultRetry with { BaseDelay = TimeSpan.FromMilliseconds(200) },
                DeadLetter = "lost.parcels.accepted",
            });
        builder.Services.AddSingleton<Ledger>();

        // The client of the desk: its address is Postrider:Rpc:Channels:rates:Address.
        builder.Services.AddRpcCodec(new RpcJsonCodec(ParcelsJson.Default));
        builder.Services.AddRpcClient<IRates>().AddInterceptor<Token>();
        configure?.Invoke(builder);
        return builder.Build();
    }
}
