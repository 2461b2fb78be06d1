using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client.Hosting;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>The end of a host whose handlers do not end.</summary>
public sealed class HostEndTests
{
    private static readonly JsonSerializerProvider s_json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("memory")]
    [InlineData("nats")]
    public async Task Handler_that_ignores_its_cancellation_neither_delays_nor_fails_the_end_of_the_host(string transport)
    {
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.Configure<HostOptions>(static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(50));
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(options => options
            .RouteNotification<ParcelPacked>("work", s_json, "packed")
            .ReplaceNotification<ParcelPacked>(async (_, _) =>
            {
                entered.TrySetResult();
                await end.Task;
            }));
        var added = transport == "nats"
            ? builder.AddPostriderBroker(static options => options.Listen = false).AddPostriderClient().Services.AddNatsTransport("work", s_json)
            : builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), s_json);
        added.Notification<ParcelPacked>(new TransportBinding("packed"));
        var host = builder.Build();
        await host.StartAsync(Ct);
        var sending = host.Services.GetRequiredService<IDispatcher>().PublishAsync(new ParcelPacked("1"), Ct).AsTask();
        await entered.Task.WaitAsync(Ct);

        await host.StopAsync(Ct);
        await ((IAsyncDisposable)host).DisposeAsync();

        Assert.False(end.Task.IsCompleted);
        end.SetResult();
        await Task.WhenAny(sending);
    }
}
