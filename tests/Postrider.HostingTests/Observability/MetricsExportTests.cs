using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry.Metrics;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Flow;
using Postrider.Flow.Hosting;
using Postrider.HostingTests.Dispatch;
using Postrider.HostingTests.Rpc;
using Postrider.Middleware;
using Postrider.OpenTelemetry;
using Postrider.Resilience;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;

namespace Postrider.HostingTests.Observability;

/// <summary>What OpenTelemetry collects from the parts of a host.</summary>
public sealed class MetricsExportTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Every_part_of_a_host_is_measured()
    {
        List<MetricSnapshot> exported = [];
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection([new("Postrider:Flow:Operations:import:MaxConcurrency", "2"), new("Postrider:Rpc:Channels:ledger:Address", "local://ledger")]);
        builder.AddPostriderBroker(static options => options.Listen = false).AddPostriderClient().AddPostriderFlow();
        builder.Services.AddSingleton<OrderNotes>().AddSingleton<IValidator<PlaceOrder>, PlaceOrderValidator>().AddPostrider(static options => options.Telemetry = true);
        builder.Services.AddSingleton<Books>().AddScoped<CallScope>().AddRpcCodec(LedgerHost.Codec).AddRpcService<ILedger, Ledger>().AddRpcServerTelemetry();
        builder.Services.AddSingleton<RpcChannelFactory, LocalFactory>().AddRpcChannel("ledger").AddKeyedClient<ILedger>();
        builder.Services.AddOpenTelemetry().WithMetrics(metrics => metrics.AddPostriderInstrumentation().AddInMemoryExporter(exported));
        using var host = builder.Build();
        await host.StartAsync(Ct);
        var services = host.Services;

        await services.GetRequiredService<IDispatcher>().SendAsync(new PlaceOrder("tea", 1), Ct);
        await services.GetRequiredService<NatsClient>().PublishAsync("news", "rain", ct: Ct);
        await services.GetRequiredService<NatsClient>().FlushAsync(Ct);
        Assert.Equal(1, await services.GetRequiredKeyedService<ILedger>("ledger").AddAsync(1, Ct));
        await Enumerable.Range(0, 5).SelectParallelAsync(static (item, _) => new ValueTask<int>(item), services.GetRequiredKeyedService<FlowOptions>("import"), Ct);
        ObserverErrors.Report("MetricsExportTests", new InvalidOperationException("Not important."));
        services.GetRequiredService<MeterProvider>().ForceFlush();
        await host.StopAsync(Ct);
        // A server measures a call after its caller has the answer.
        services.GetRequiredService<MeterProvider>().ForceFlush();

        Assert.True(Tagged("messaging.process.duration", "messaging.destination.name", nameof(PlaceOrder)), Names());
        Assert.True(Tagged("flow.items.completed", "operation", "import"), Names());
        Assert.True(Tagged("rpc.client.call.duration", "rpc.method", "Add"), Names());
        Assert.True(Tagged("rpc.server.call.duration", "rpc.method", "Add"), Names());
        Assert.True(Tagged("resilience.observer.errors", "observer", "MetricsExportTests"), Names());
        Assert.True(Of("messaging.client.sent.messages") > 0, Names());
        Assert.True(Of("postrider.broker.received.messages") > 0, Names());

        // The metric has a point with such a tag.
        bool Tagged(string name, string key, string end)
        {
            foreach (var metric in exported.Where(metric => metric.Name == name))
            {
                foreach (var point in metric.MetricPoints)
                {
                    foreach (var tag in point.Tags)
                    {
                        if (tag.Key == key && tag.Value is string value && value.EndsWith(end, StringComparison.Ordinal))
                            return true;
                    }
                }
            }

            return false;
        }

        long Of(string name) => exported.Where(metric => metric.Name == name).SelectMany(static metric => metric.MetricPoints).Sum(static point => point.GetSumLong());

        string Names() => "Exported: " + string.Join(", ", exported.Select(static metric => metric.Name).Distinct().Order(StringComparer.Ordinal));
    }

    // Calls the host's own service.
    private sealed class LocalFactory(IServiceProvider services) : RpcChannelFactory
    {
        public override IReadOnlyCollection<string> Schemes => ["local"];

        public override RpcChannel Create(Uri address, RpcCodec codec, RpcChannelSettings settings) => new InProcessChannel(RpcServedContracts.Get<ILedger>(services));
    }
}
