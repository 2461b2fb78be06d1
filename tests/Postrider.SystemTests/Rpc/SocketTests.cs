using System.Net;
using System.Net.Sockets;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Sockets;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over the multiplexed socket.</summary>
public abstract class SocketTests : DuplexContract
{
    private SocketServer _server = null!;

    private protected virtual EndPoint Address => new IPEndPoint(IPAddress.Loopback, 0);

    private protected virtual RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);

    private protected virtual SocketChannelOptions Options => new();

    private protected override ValueTask<RpcChannel> StartAsync(ServiceEndpoint service)
    {
        _server = SocketServer.Start(Address, Codec, service);
        return new(new SocketChannel(_server.EndPoint, Codec, Options));
    }

    private protected override ValueTask StopAsync() => _server.DisposeAsync();
}

public sealed class TcpMessagePackTests : SocketTests;

public sealed class TcpJsonTests : SocketTests
{
    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);
}

public sealed class TcpBlockingTests : SocketTests
{
    private protected override SocketChannelOptions Options => new() { Pattern = DispatchPattern.Blocking, MaxConnections = 4 };
}

public sealed class UnixSocketTests : SocketTests
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-rpc-");

    private protected override EndPoint Address => new UnixDomainSocketEndPoint(Path.Combine(_folder.FullName, "desk.sock"));

    private protected override async ValueTask StopAsync()
    {
        await base.StopAsync();
        Assert.Empty(_folder.GetFiles());
        _folder.Delete();
    }
}
