using System.Net;
using System.Net.Sockets;

namespace Postrider.TransportTests.Harness;

/// <summary>A port of 127.0.0.1 where nobody listened a moment ago.</summary>
internal static class FreePort
{
    internal static int Find()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
