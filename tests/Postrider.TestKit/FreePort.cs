using System.Net;
using System.Net.Sockets;

namespace Postrider.TestKit;

/// <summary>A port of 127.0.0.1 where nobody listened a moment ago.</summary>
/// <remarks>It is below the ports that the system gives to outgoing connections and to listeners on port 0,
/// so that only a test that looks for one too may take it before it is used.</remarks>
public static class FreePort
{
    // Linux gives out 32768 and above, unless it is configured otherwise.
    private const int Min = 15_000;
    private const int End = 32_768;

    // Where this process looks next: no port twice. Processes begin at different places.
    private static int s_next = Random.Shared.Next(End - Min);

    /// <summary>Finds one.</summary>
    /// <returns>The port; another process may take it before it is used.</returns>
    public static int Find()
    {
        while (true)
        {
            var port = Min + (int)((uint)Interlocked.Increment(ref s_next) % (End - Min));
            try
            {
                using var listener = new TcpListener(IPAddress.Loopback, port);
                listener.Start();
                return port;
            }
            catch (SocketException taken) when (taken.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
            {
                // The next one then.
            }
        }
    }
}
