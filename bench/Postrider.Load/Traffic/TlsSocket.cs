using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>A NATS connection over TLS.</summary>
internal sealed class TlsSocket : BlockingSocket
{
    private readonly SslStream _stream;

    private TlsSocket(Socket socket, SslStream stream) : base(socket) => _stream = stream;

    /// <summary>Connects, reads INFO, does the handshake and says CONNECT.</summary>
    public static TlsSocket Open(int port, X509Certificate2 authority)
    {
        var socket = Connect(port);
        try
        {
            ReadInfo(socket);
            var stream = new SslStream(new NetworkStream(socket));
            var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.Add(authority);
            stream.AuthenticateAsClient(new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = policy });
            var opened = new TlsSocket(socket, stream);
            opened.Write(Encoding.ASCII.GetBytes(Greeting));
            opened.RoundTrip();
            return opened;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public override void Write(ReadOnlySpan<byte> bytes) => _stream.Write(bytes);

    public override int Read(Span<byte> buffer)
        => _stream.Read(buffer) is > 0 and var count ? count : throw new LoadException("The server closed a TLS connection.");

    public override void Dispose()
    {
        _stream.Dispose();
        base.Dispose();
    }

    // Byte by byte: what comes behind INFO is TLS.
    private static void ReadInfo(Socket socket)
    {
        Span<byte> one = stackalloc byte[1];
        do
        {
            if (socket.Receive(one) == 0) throw new LoadException("The server closed the connection before INFO.");
        }
        while (one[0] != '\n');
    }
}
