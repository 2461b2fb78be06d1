using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>An encrypted connection promises what every connection does, whatever is below it.</summary>
public abstract class TlsContract : ConnectionFaultContract
{
    private readonly TestCertificates _certificates = new();

    public override ValueTask DisposeAsync()
    {
        _certificates.Dispose();
        return ValueTask.CompletedTask;
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

    [Fact]
    public async Task Last_words_are_sent_and_the_end_is_told_on_both_sides()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Recorder());
        a.Start(atA);
        b.Start(atB);

        SendOwn(b, new MessageWriter(1), 500, static _ => 5000);
        b.CloseAfterSending();

        await atA.Reach(500).WaitAsync(Patience);
        Assert.Equal(CloseReason.ByPeer, await atA.Closed.WaitAsync(Patience));
        Assert.Equal(CloseReason.ByUs, await atB.Closed.WaitAsync(Patience));
        Assert.Empty(atA.Faults);
        await AssertNoChunkIsHeldAsync();
    }

    /// <summary>Makes the connection below: the dialling end and the accepted end.</summary>
    private protected abstract Task<(Connection Dialled, Connection Accepted)> ConnectBelowAsync();

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

/// <summary>Over sockets of an engine.</summary>
public abstract class TlsEngineContract(EngineKind kind) : TlsContract
{
    private readonly System.Threading.Channels.Channel<Connection> _accepted = System.Threading.Channels.Channel.CreateUnbounded<Connection>();
    private ConnectionEngine _engine = null!;
    private Listener _listener = null!;

    public override ValueTask InitializeAsync()
    {
        _engine = ConnectionEngine.Create(Batches, loops: 2, kind);
        _listener = Listener.Start(new IPEndPoint(IPAddress.Loopback, 0), _engine, connection => _accepted.Writer.TryWrite(connection), static _ => { });
        return ValueTask.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        await _listener.DisposeAsync();
        _engine.Dispose();
        await base.DisposeAsync();
    }

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectBelowAsync()
    {
        var dialled = await _engine.ConnectAsync(_listener.EndPoint, CancellationToken.None);
        return (dialled, await _accepted.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }
}
