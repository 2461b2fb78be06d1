using System.Net;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over two servers at once.</summary>
public sealed class BalancedTests : DuplexContract
{
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly List<SocketServer> _servers = [];

    private protected override ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        for (var i = 0; i < 2; i++)
            _servers.Add(SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, service));
        return new(new BalancedChannel([.. _servers.Select(server => new SocketChannel(server.EndPoint, Codec))]));
    }

    private protected override async ValueTask StopAsync()
    {
        foreach (var server in _servers)
            await server.DisposeAsync();
    }
}
