using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Postrider.Rpc;
using Postrider.Sockets;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract over the multiplexed socket.</summary>
public abstract class SocketTests : DuplexContract
{
    private protected SocketServer Server { get; private set; } = null!;

    private protected virtual EndPoint Address => new IPEndPoint(IPAddress.Loopback, 0);

    private protected virtual RpcCodec Codec => new RpcMessagePackCodec(DeskMessages.Default);

    private protected virtual SocketChannelOptions Options => new();

    private protected virtual SocketServerOptions ServerOptions => new();

    private protected override ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        Server = SocketServer.Start(Address, Codec, service, ServerOptions);
        return new(new SocketChannel(Server.EndPoint, Codec, Options));
    }

    private protected override ValueTask StopAsync() => Server.DisposeAsync();
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

/// <summary>By the framework's sockets, as on systems other than Linux.</summary>
public sealed class PortableTcpTests : SocketTests
{
    private protected override SocketChannelOptions Options => new() { Engine = EngineKind.Sockets };

    private protected override SocketServerOptions ServerOptions => new() { Engine = EngineKind.Sockets };
}

public sealed class PortableUnixSocketTests : UnixSocketTests
{
    private protected override SocketChannelOptions Options => new() { Engine = EngineKind.Sockets };

    private protected override SocketServerOptions ServerOptions => new() { Engine = EngineKind.Sockets };
}

public class UnixSocketTests : SocketTests
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

public sealed class TlsTests : SocketTests
{
    private readonly X509Certificate2 _certificate = Certificate();

    private protected override SocketServerOptions ServerOptions
        => new() { Tls = new SslServerAuthenticationOptions { ServerCertificate = _certificate }, HelloTimeout = Patience };

    private protected override SocketChannelOptions Options => new() { Tls = Trusting(_certificate) };

    [Fact]
    public async Task Server_that_is_not_trusted_is_unavailable()
    {
        await using var channel = new SocketChannel(
            Server.EndPoint, Codec, new SocketChannelOptions { Tls = new SslClientAuthenticationOptions { TargetHost = "localhost" } });

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).CountAsync());

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.Equal(0, await Client.CountAsync());
    }

    [Fact]
    public async Task Caller_without_tls_is_cut_off()
    {
        using var peer = await RawPeer.OpenAsync(Server.EndPoint);

        await peer.SendAsync(RawPeer.Hello());

        // What TLS answers is an alert, which is no frame.
        await peer.ReadToEndAsync();
        Assert.Equal(0, await Client.CountAsync());
    }

    private protected override async ValueTask StopAsync()
    {
        await base.StopAsync();
        _certificate.Dispose();
    }

    private static SslClientAuthenticationOptions Trusting(X509Certificate2 certificate) => new()
    {
        TargetHost = "localhost",
        RemoteCertificateValidationCallback = (_, theirs, _, _) => theirs is not null && theirs.GetCertHashString() == certificate.GetCertHashString(),
    };

    private static X509Certificate2 Certificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
