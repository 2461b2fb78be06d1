using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>An encrypted connection promises what every connection does, whatever is below it.</summary>
public abstract class TlsContract(EngineKind? kind) : LayeredContract(kind)
{
    private readonly TestCertificates _certificates = new();

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _certificates.Dispose();
    }

    [Fact]
    public async Task Both_sides_know_what_was_agreed_on()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        SendOwn(a, new MessageWriter(1), 1, static _ => 100);
        await atB.Reach(1).WaitAsync(Patience);

        var (client, server) = ((TlsConnection)a, (TlsConnection)b);
        Assert.True(client.IsSecure);
        Assert.True(server.IsSecure);
        Assert.Equal(client.CipherSuite, server.CipherSuite);
        Assert.Equal(client.Protocol, server.Protocol);
        Assert.Equal(_certificates.Server.Thumbprint, client.RemoteCertificate!.Thumbprint);
        Assert.Null(server.RemoteCertificate);
        await CloseAsync(a, atA, atB);
    }

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectAsync()
    {
        var (dialled, accepted) = await ConnectBelowAsync();
        var client = TlsConnection.CreateClient(
            dialled,
            new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = Trusting() },
            Patience);
        return (client, TlsConnection.CreateServer(accepted, new Server(_certificates.Server), Patience, sendsPlainFirst: false));
    }

    private protected override Task AwaitReadyAsync(Connection a, Connection b)
        => Eventually.HoldsAsync(() => ((TlsConnection)a).IsSecure && ((TlsConnection)b).IsSecure);

    private X509ChainPolicy Trusting()
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(_certificates.Authorities);
        return policy;
    }

    private sealed class Server(X509Certificate2 certificate) : ITlsServer
    {
        public bool AllowsPlain => false;

        public SslServerAuthenticationOptions? BeginHandshake()
            => new() { ServerCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true) };

        public void Secured()
        {
            // Nothing to decide.
        }

        public void StaysPlain() => throw new InvalidOperationException("Not allowed.");
    }
}
