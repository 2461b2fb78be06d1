using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>A NATS connection inside another protocol, with blocking reads and writes.</summary>
internal abstract class BlockingSocket(Socket socket) : IDisposable
{
    protected const string Greeting = "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"protocol\":0,\"lang\":\"load\",\"version\":\"1.0.0\",\"name\":\"load\"}\r\n";

    public abstract void Write(ReadOnlySpan<byte> bytes);

    /// <summary>Reads what is there; throws when the server closed the connection.</summary>
    public abstract int Read(Span<byte> buffer);

    /// <summary>Sends PING and reads until PONG. Only while no messages are delivered.</summary>
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

    /// <summary>Makes a blocked read of another thread fail.</summary>
    public void Abort() => socket.Dispose();

    public virtual void Dispose() => socket.Dispose();

    protected static Socket Connect(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = 20_000, SendTimeout = 20_000 };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        return socket;
    }
}
