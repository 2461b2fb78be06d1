using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Client;
using Postrider.Sagas;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.OutboxWorker;

internal sealed partial record Step([property: SagaId] string Walk) : ICommand;

internal sealed partial record Stepped(string Walk, long Number) : INotification;

[Saga]
internal sealed class Walk
{
    public long Steps { get; set; }

    [StartsSaga]
    public void On(Step step, SagaContext saga)
    {
        Steps++;
        saga.Send(new Stepped(step.Walk, Steps));
    }
}

[JsonSerializable(typeof(Walk))]
[JsonSerializable(typeof(Step))]
[JsonSerializable(typeof(Stepped))]
internal sealed partial class WalkJson : JsonSerializerContext;

/// <summary>Sagas in a bucket, until the process is killed.</summary>
internal static class SagaWorker
{
    internal static async Task RunAsync(NatsClient client)
    {
        var json = new JsonSerializerProvider(WalkJson.Default);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton(client);
        builder.Services.AddPostrider(options => options.RouteNotification<Stepped>("stream", json, "stepped"));
        builder.Services.AddNatsStreamTransport("stream", json)
            .Command<Step>(new DurableBinding("steps") { Consumer = "walks", AckWait = TimeSpan.FromSeconds(1), MaxConcurrency = 8, Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 100, BaseDelay = TimeSpan.FromMilliseconds(20) } });
        builder.Services.AddPostriderSagas(json).UseNatsKeyValue("walks");
        using var host = builder.Build();
        await host.StartAsync();
        Console.WriteLine("ready");
        await Task.Delay(Timeout.Infinite);
    }
}
