using System.Net;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using ParcelDesk;
using ParcelDesk.Web;
using Postrider;
using Postrider.AspNetCore;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;
using Postrider.Serialization;
using Postrider.Transport.Nats;

namespace ParcelDesk.Web;

/// <summary>The desk: accepts parcels over HTTP, notifies the worker through a stream, and serves the prices.</summary>
public static class WebApp
{
    /// <summary>Builds the application.</summary>
    /// <param name="args">Configuration, for example <c>--Postrider:Client:Servers nats://localhost:4222</c>.</param>
    /// <param name="configure">Changes the builder, in tests.</param>
    public static WebApplication Build(string[] args, Action<WebApplicationBuilder>? configure = null)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        var json = new JsonSerializerProvider(options: ParcelsJson.Default.Options);

        // The connection, and the stream that must exist.
        builder.AddPostriderClient();
        builder.AddPostriderStreams(needed => needed.Stream(new StreamConfig { Name = "PARCELS", Subjects = ["parcels.>"] }));

        // Handlers and routes: publishing a ParcelAccepted stores it in the stream.
        builder.Services.AddNatsStreamTransport("parcels", json);
        builder.Services.AddPostrider(options =>
        {
            options.ValidateOnStart = true;
            options.Telemetry = true;
            options.RouteNotification<ParcelAccepted>("parcels", json, "parcels.accepted");
        });
        builder.Services.AddDbContext<ParcelBook>(options => options.UseSqlite(builder.Configuration["Parcels:Database"] ?? "Data Source=parcels.db"));

        // Calls over a socket, with a scope for each.
        builder.Services.AddRpcCodec(new RpcJsonCodec(json));
        builder.Services.AddRpcService<IRates, Rates>().AddRpcServerTelemetry();
        builder.Services.AddRpcAuthentication<Tokens>().AddRpcAuthorization();
        builder.Services.AddRpcSocketServer(IPEndPoint.Parse(builder.Configuration["Rates:Listen"] ?? "127.0.0.1:5090"));

        // Endpoints: the JSON of their messages, failures as problem details, and probes.
        builder.Services.ConfigureHttpJsonOptions(options =>
        {
            options.SerializerOptions.TypeInfoResolverChain.Insert(0, ParcelsJson.Default);
            options.SerializerOptions.RespectNullableAnnotations = true;
            options.SerializerOptions.RespectRequiredConstructorParameters = true;
        });
        builder.Services.AddPostriderExceptionHandler();
        builder.Services.AddHealthChecks().AddPostriderClient(tags: "ready");
        configure?.Invoke(builder);

        var app = builder.Build();
        using (var scope = app.Services.CreateScope())
            scope.ServiceProvider.GetRequiredService<ParcelBook>().Database.EnsureCreated();
        app.UseExceptionHandler();
        app.MapPost<AcceptParcel, Receipt>("/parcels");
        app.MapHealthChecks("/health/live", new HealthCheckOptions { Predicate = static _ => false });
        app.MapHealthChecks("/health/ready", new HealthCheckOptions
        {
            Predicate = static check => check.Tags.Contains("ready"),
            ResultStatusCodes = { [HealthStatus.Degraded] = StatusCodes.Status503ServiceUnavailable },
        });
        return app;
    }
}
