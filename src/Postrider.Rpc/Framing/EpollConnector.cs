using System.Net;
using System.Net.Sockets;

namespace Postrider.Rpc.Framing;

/// <summary>Opens connections of the epoll reactor.</summary>
internal static class EpollConnector
{
    /// <summary>Connects. The addresses of a name are tried in turn; the failure of the last one is reported.</summary>
    /// <exception cref="SocketException">Nothing listens there, the host does not respond, or its name is invalid.</exception>
    public static async ValueTask<EpollFrameTransport> ConnectAsync(EndPoint endPoint, CancellationToken ct)
    {
        if (endPoint is not DnsEndPoint named)
            return await EpollFrameTransport.ConnectAsync(endPoint, ct).ConfigureAwait(false);
        var addresses = IPAddress.TryParse(named.Host, out var address) ? [address]
            : await Dns.GetHostAddressesAsync(named.Host, named.AddressFamily, ct).ConfigureAwait(false);
        if (addresses.Length == 0)
            throw new SocketException((int)SocketError.HostNotFound);
        for (var i = 0; ; i++)
        {
            try
            {
                return await EpollFrameTransport.ConnectAsync(new IPEndPoint(addresses[i], named.Port), ct).ConfigureAwait(false);
            }
            catch (SocketException) when (i < addresses.Length - 1)
            {
            }
        }
    }
}
