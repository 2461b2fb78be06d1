using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Monitoring;
using Postrider.Client;
using Postrider.Sockets;

namespace Postrider.SystemTests.Tls;

/// <summary>What the tests of TLS between broker and client share.</summary>
public abstract class TlsScenario : IDisposable
{
    private protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    public static TheoryData<EngineKind> Engines => [EngineKind.Epoll, EngineKind.Sockets];

    private protected TestCertificates Certificates { get; } = new();

    // The usual two seconds are little on a machine that is busy with something else.
    private protected ServerTlsOptions Files => new() { CertFile = Certificates.ServerFile, KeyFile = Certificates.ServerKeyFile, Timeout = Patience };

    private protected ServerTlsOptions Verifying => Files with { CaFile = Certificates.CaFile, Verify = true };

    private protected TlsOptions Trusting => new() { CaFile = Certificates.CaFile };

    private protected TlsOptions Presenting => Trusting with { CertFile = Certificates.ClientFile, KeyFile = Certificates.ClientKeyFile };

    public void Dispose()
    {
        Certificates.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected static Task<NatsBroker> StartAsync(ServerTlsOptions tls, Action<BrokerOptions>? change = null)
    {
        var options = new BrokerOptions { Port = BrokerOptions.RandomPort, Tls = tls };
        change?.Invoke(options);
        return NatsBroker.StartAsync(options);
    }

    private protected static Task<NatsClient> ConnectAsync(NatsBroker broker, TlsOptions tls, Action<ClientOptions>? change = null)
        => NatsClient.ConnectAsync($"nats://localhost:{broker.EndPoint!.Port}", options =>
        {
            options.Tls = tls;
            change?.Invoke(options);
        });

    private protected static async Task RefusesAsync(NatsBroker broker, TlsOptions tls)
    {
        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(broker, tls));

        Assert.Equal(NatsErrorCode.TlsHandshakeFailed, refused.Code);
    }

    private protected static IReadOnlyList<ConnectionInfo> Open(NatsBroker broker) => broker.State.OpenConnections(false);

    private protected static IReadOnlyList<ConnectionInfo> Closed(NatsBroker broker) => broker.State.ClosedConnections(false);

    private protected static async Task<Socket> DialAsync(NatsBroker broker)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(broker.EndPoint!);
        return socket;
    }

    private protected static async Task<SslStream> OpenStreamAsync(NatsBroker broker, SslProtocols protocols)
    {
        var socket = await DialAsync(broker);
        await ReadLineAsync(socket);
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true), false, static (_, certificate, _, _) => IsOfTheTest(certificate));
        await stream.AuthenticateAsClientAsync("localhost", null, protocols, checkCertificateRevocation: false).WaitAsync(Patience);
        // With TLS 1.3 the refusal comes behind the client's end of the handshake.
        return stream;
    }

    private protected static async Task<string> PresentedAsync(NatsBroker broker)
    {
        await using var stream = await OpenStreamAsync(broker, SslProtocols.None);
        return ((System.Security.Cryptography.X509Certificates.X509Certificate2)stream.RemoteCertificate!).Thumbprint;
    }

    private protected static async Task SendAllAsync(Socket socket, byte[] bytes)
    {
        try
        {
            for (var sent = 0; sent < bytes.Length;) sent += await socket.SendAsync(bytes.AsMemory(sent)).AsTask().WaitAsync(Patience);
        }
        catch (SocketException)
        {
            // The other side has closed: it has seen enough.
        }
    }

    private protected static async Task<string> ReadLineAsync(Socket socket)
    {
        var text = new StringBuilder();
        var one = new byte[1];
        while (text.Length == 0 || text[^1] != '\n')
        {
            if (await socket.ReceiveAsync(one.AsMemory()).AsTask().WaitAsync(Patience) == 0) break;
            text.Append((char)one[0]);
        }
        return text.ToString();
    }

    // What is left when the other side ends; an alert is not shown.
    private protected static async Task<string> ReadToEndAsync(Socket socket)
    {
        var text = new StringBuilder();
        var bytes = new byte[4096];
        try
        {
            while (await socket.ReceiveAsync(bytes.AsMemory()).AsTask().WaitAsync(Patience) is > 0 and var count)
                text.Append(Encoding.Latin1.GetString(bytes, 0, count));
        }
        catch (SocketException)
        {
            // Reset: the other side closed on bytes that it did not want.
        }
        return text.Length > 0 && text[0] == 0x15 ? "" : text.ToString();
    }

    private protected static async Task<string> ReadTextAsync(Stream stream, int count)
    {
        var bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes).AsTask().WaitAsync(Patience);
        return Encoding.ASCII.GetString(bytes);
    }

    private protected static bool IsOfTheTest(System.Security.Cryptography.X509Certificates.X509Certificate? certificate) => certificate?.Issuer == "CN=Test authority";
}
