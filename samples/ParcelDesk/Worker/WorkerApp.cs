using Microsoft.Extensions.Diagnostics.HealthChecks;
using ParcelDesk;
using ParcelDesk.Worker;
using Postrider;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Serialization;
using Postrider.Transport.Nats;

namespace ParcelDesk.Worker;

/// <summary>The worker: bills the parcels that the desk accepted, with retries and dead letters, and requests prices from the desk.</summary>
public static class WorkerApp
{
    /// <summary>Builds the application.</summary>
    /// <param name="args">Configuration, for example <c>--Postrider:Client:Servers nats://localhost:4222</c>.</param>
    /// <param name="configure">Changes the builder, in tests.</param>
    public static IHost Build(string[] args, Action<HostApplicationBuilder>? configure = null)
    {
        var builder = Host.CreateApplicationBuilder(args);
        var json = new JsonSerializerProvider(options: ParcelsJson.Default.Options);

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
        builder.Services.AddRpcCodec(new RpcJsonCodec(json));
        builder.Services.AddRpcClient<IRates>().AddInterceptor<Token>();

        // A probe without HTTP: a file that exists while the worker is connected.
        if (builder.Configuration["Health:File"] is { } file)
        {
            builder.Services.AddHealthChecks().AddPostriderClient();
            builder.Services.Configure<HealthCheckPublisherOptions>(static options => (options.Delay, options.Period) = (TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(10)));
            builder.Services.AddSingleton<IHealthCheckPublisher>(new HealthFile(file));
        }

        configure?.Invoke(builder);
        return builder.Build();
    }
}
