using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Nats;

namespace Postrider.HostingTests.Rpc;

/// <summary>RPC servers when the host ends before their calls do, and when it does not start.</summary>
public sealed class ServerShutdownTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("socket")]
    [InlineData("nats")]
    public async Task Call_that_ignores_its_cancellation_neither_delays_nor_fails_the_end_of_the_host(string transport)
    {
        var hang = new Hang();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.Configure<HostOptions>(static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(50));
        builder.Services.AddSingleton<IHang>(hang).AddRpcCodec(LedgerHost.Codec).AddRpcService<IHang>();
        if (transport == "nats")
            builder.AddPostriderBroker(static options => options.Listen = false).AddPostriderClient().Services.AddRpcNatsServer();
        else
            builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0));
        var host = builder.Build();
        await host.StartAsync(Ct);
        await using RpcChannel channel = transport == "nats"
            ? new NatsChannel(host.Services.GetRequiredService<NatsClient>(), LedgerHost.Codec)
            : new SocketChannel(host.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint, LedgerHost.Codec);
        var call = new HangClient(channel).WaitAsync(Ct).AsTask();
        await hang.Entered.Task.WaitAsync(Ct);

        await host.StopAsync(Ct);
        await ((IAsyncDisposable)host).DisposeAsync();

        Assert.False(hang.End.Task.IsCompleted);
        hang.End.SetResult(1);
        await Task.WhenAny(call);
        _ = call.Exception;
    }

    [Fact]
    public async Task Port_is_free_again_when_another_service_failed_to_start()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<IHang, Hang>().AddRpcCodec(LedgerHost.Codec).AddRpcService<IHang>().AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0));
        builder.Services.AddHostedService<Broken>();
        var host = builder.Build();
        await Assert.ThrowsAsync<NotSupportedException>(() => host.StartAsync(Ct));
        var endPoint = host.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint;

        await ((IAsyncDisposable)host).DisposeAsync();

        await using var next = SocketServer.Start(endPoint, [LedgerHost.Codec], [HangContract.Serve(new Hang())]);
        Assert.Equal(endPoint, next.EndPoint);
    }

    private sealed class Broken : IHostedService
    {
        public Task StartAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
