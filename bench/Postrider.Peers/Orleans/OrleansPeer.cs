using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Concurrency;
using Orleans.Hosting;
using Postrider.Benchmarks.Peers.ProtobufNet;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;

namespace Postrider.Benchmarks.Peers.Orleans;

/// <summary>A silo of Orleans and a client of its gateway, both as they come for one machine.</summary>
internal sealed class OrleansPeer : IRpcPeer
{
    private readonly List<IHost> _hosts = [];

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        var (ofSilos, ofClients) = FreePorts();
        var silo = await StartAsync(builder => builder.UseOrleans(orleans => orleans.UseLocalhostClustering(ofSilos, ofClients)));
        var client = await StartAsync(builder => builder.UseOrleansClient(orleans => orleans.UseLocalhostClustering(ofClients)));
        var immutable = silo.GetGrain<IOrleansImmutableEcho>(0);
        return
        [
            Subject(RpcSubjects.Orleans, client.GetGrain<IOrleansEcho>(0)),
            Subject(RpcSubjects.OrleansInProcess, silo.GetGrain<IOrleansEcho>(0)),
            new RpcSubject(
                RpcSubjects.OrleansInProcess + ", immutable",
                json => OtherCalls.List(JsonSerializer.Deserialize<List<Small>>(json)!, async items => (await immutable.SmallAsync(items.AsImmutable())).Value),
                json => OtherCalls.List(JsonSerializer.Deserialize<List<Large>>(json)!, async items => (await immutable.LargeAsync(items.AsImmutable())).Value)),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var host in Enumerable.Reverse(_hosts))
        {
            await host.StopAsync();
            host.Dispose();
        }
    }

    private static RpcSubject Subject(string name, IOrleansEcho echo) => new(
        name,
        json => OtherCalls.List(JsonSerializer.Deserialize<List<Small>>(json)!, echo.SmallAsync),
        json => OtherCalls.List(JsonSerializer.Deserialize<List<Large>>(json)!, echo.LargeAsync));

    // A silo does not listen on port 0. Both are held before either is given up: two in turn may be the same.
    private static (int First, int Second) FreePorts()
    {
        using var first = new TcpListener(IPAddress.Loopback, 0);
        using var second = new TcpListener(IPAddress.Loopback, 0);
        first.Start();
        second.Start();
        return (((IPEndPoint)first.LocalEndpoint).Port, ((IPEndPoint)second.LocalEndpoint).Port);
    }

    private async Task<IClusterClient> StartAsync(Action<HostApplicationBuilder> use)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        use(builder);
        var host = builder.Build();
        _hosts.Add(host);
        await host.StartAsync();
        return host.Services.GetRequiredService<IClusterClient>();
    }
}
