using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>A NATS connection over TLS that its thread reads and writes, blocking.</summary>
internal sealed class TlsSocket : IDisposable
{
    private const string Greeting = "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"protocol\":0,\"lang\":\"load\",\"version\":\"1.0.0\",\"name\":\"load\"}\r\n";

    private readonly Socket _socket;
    private readonly SslStream _stream;

    private TlsSocket(Socket socket, SslStream stream) => (_socket, _stream) = (socket, stream);

    /// <summary>Connects, reads INFO, does the handshake and says CONNECT.</summary>
    public static TlsSocket Open(int port, X509Certificate2 authority)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = 20_000, SendTimeout = 20_000 };
        try
        {
            socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
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

    public void Write(ReadOnlySpan<byte> bytes) => _stream.Write(bytes);

    /// <summary>Reads what is there; throws when the server closed the connection.</summary>
    public int Read(Span<byte> buffer)
        => _stream.Read(buffer) is > 0 and var count ? count : throw new LoadException("The server closed a TLS connection.");

    /// <summary>PING, and what comes until its PONG. Only where no traffic comes.</summary>
    public void RoundTrip()
    {
        Write("PING\r\n"u8);
        var text = "";
        Span<byte> buffer = stackalloc byte[4096];
        while (!text.Contains("PONG\r\n", StringComparison.Ordinal))
        {
            text += Encoding.ASCII.GetString(buffer[..Read(buffer)]);
            if (text.Contains("-ERR", StringComparison.Ordinal)) throw new LoadException($"The server says '{text.Trim()}'.");
        }
    }

    /// <summary>Has a blocked read of another thread fail.</summary>
    public void Abort() => _socket.Dispose();

    public void Dispose()
    {
        _stream.Dispose();
        _socket.Dispose();
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
