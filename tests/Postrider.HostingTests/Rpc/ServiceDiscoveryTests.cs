using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.ServiceDiscovery;

namespace Postrider.HostingTests.Rpc;

/// <summary>Channels whose addresses are names of services.</summary>
public sealed class ServiceDiscoveryTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Calls_follow_the_endpoints_and_a_running_one_ends_where_it_began()
    {
        var (firstBooks, secondBooks) = (new Books(), new Books());
        await using var first = Serve(firstBooks);
        await using var second = Serve(secondBooks);
        using var host = await StartAsync("tcp://desk", ("Services:desk:tcp:0", $"{first.EndPoint}"));
        var ledger = host.Services.GetRequiredService<ILedger>();
        Assert.Equal(1, await ledger.AddAsync(1, Ct));
        var running = ledger.CountAsync(2, Ct).GetAsyncEnumerator(Ct);
        Assert.True(await running.MoveNextAsync());

        Change(host, ("Services:desk:tcp:0", $"tcp://{second.EndPoint}"));
        await Eventually.HoldsAsync(async () => await ledger.AddAsync(1, Ct) > 0 && secondBooks.Scopes.Count > 0);
        var before = firstBooks.Scopes.Count;
        await ledger.AddAsync(1, Ct);
        Assert.Equal(before, firstBooks.Scopes.Count);
        Assert.Equal(1, first.Connections);

        Assert.True(await running.MoveNextAsync());
        Assert.False(await running.MoveNextAsync());
        await running.DisposeAsync();
        await Eventually.HoldsAsync(() => first.Connections == 0);

        // An endpoint that stays keeps its connection.
        Change(host, ("Services:desk:tcp:1", $"{first.EndPoint}"));
        await Eventually.HoldsAsync(async () => await ledger.AddAsync(1, Ct) > 0 && first.Connections == 1);
        Assert.Equal(1, second.Connections);

        // A provider that fails is no reason to leave endpoints that work.
        Change(host, ("Services:desk:tcp:0", ":"));
        Assert.True(await ledger.AddAsync(1, Ct) > 0);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Preferred_scheme_that_the_service_lacks_gives_way_to_the_other()
    {
        await using var server = await LedgerHost.StartAsync();
        using var host = await StartAsync("https+http://desk", ("Services:desk:http:0", server.Http.ToString()));

        Assert.Equal(3, await host.Services.GetRequiredService<ILedger>().AddAsync(3, Ct));
        await host.StopAsync(Ct);
    }

    [Theory]
    [InlineData("tcp://desk", "", "", "The endpoint desk of tcp://desk has no port. Set it, for example Services:desk:tcp:0 to desk:5090.")]
    [InlineData("tcp://desk", "Services:desk:tcp:0", ":", "ledger/Add was not called: service discovery cannot resolve tcp://desk: *")]
    [InlineData("tls+tcp://desk", "Services:desk:tls:0", "tls://desk", "The endpoint desk of tls+tcp://desk has no port. Set it, for example Services:desk:tls:0 to desk:5090.")]
    public async Task Service_without_an_endpoint_is_named(string address, string key, string value, string message)
    {
        using var host = await StartAsync(address, (key, value));

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await host.Services.GetRequiredService<ILedger>().AddAsync(1, Ct));

        Assert.Equal((RpcStatus.Unavailable, true), (failure.Status, failure.IsUnsent));
        if (message.EndsWith('*'))
            Assert.StartsWith(message[..^1], failure.Message, StringComparison.Ordinal);
        else
            Assert.Equal(message, failure.Message);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Address_with_an_ip_is_no_name()
    {
        await using var server = Serve(new Books());
        using var host = await StartAsync($"tcp://{server.EndPoint}", ("Services:127.0.0.1:tcp:0", "127.0.0.1:1"));

        Assert.Equal(2, await host.Services.GetRequiredService<ILedger>().AddAsync(2, Ct));
        await host.StopAsync(Ct);
    }

    private static SocketServer Serve(Books books)
        => SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), LedgerHost.Codec, LedgerContract.Serve(new Ledger(books, new CallScope())));

    private static async Task<IHost> StartAsync(string address, params (string Key, string Value)[] settings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(settings.Where(static pair => pair.Key.Length > 0)
            .Append(("Postrider:Rpc:Channels:ledger:Address", address)).Select(static pair => KeyValuePair.Create(pair.Item1, (string?)pair.Item2)));
        builder.Services.AddRpcServiceDiscovery().AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>();
        var host = builder.Build();
        await host.StartAsync(Ct);
        return host;
    }

    private static void Change(IHost host, (string Key, string Value) setting)
    {
        var configuration = host.Services.GetRequiredService<IConfiguration>();
        configuration[setting.Key] = setting.Value;
        ((IConfigurationRoot)configuration).Reload();
    }
}
