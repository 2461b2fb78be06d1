using System.Net;
using System.Net.Sockets;

namespace Postrider.TestKit;

/// <summary>A port of 127.0.0.1 where nobody listened a moment ago.</summary>
public static class FreePort
{
    /// <summary>Finds one.</summary>
    /// <returns>The port; another process may take it before it is used.</returns>
    public static int Find()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
