using System.Net;
using System.Net.Security;
using System.Net.Sockets;

namespace Postrider.Rpc.Hosting.Channels;

/// <summary>The transports of Postrider.Rpc.</summary>
internal sealed class BuiltInChannelFactory : RpcChannelFactory
{
    private const string SecureSocket = "tls";
    private const string Socket = "tcp";
    private const string LocalSocket = "unix";

    public static BuiltInChannelFactory Instance { get; } = new();

    public override IReadOnlyCollection<string> Schemes { get; } =
        [Socket, SecureSocket, LocalSocket, Uri.UriSchemeHttp, Uri.UriSchemeHttps, Uri.UriSchemeWs, Uri.UriSchemeWss];

    public override RpcChannel Create(Uri address, RpcCodec codec, RpcChannelSettings settings) => address.Scheme switch
    {
        Socket or SecureSocket or LocalSocket => new SocketChannel(EndPointOf(address), codec, SocketOptions(settings) with
        {
            Tls = address.Scheme == SecureSocket ? new SslClientAuthenticationOptions { TargetHost = address.Host } : null,
        }),
        "ws" or "wss" => new WebSocketChannel(address, codec, SocketOptions(settings)),
        _ => new HttpChannel(address, codec, settings.Timeout is { } timeout ? new HttpChannelOptions { Timeout = timeout } : null),
    };

    private static EndPoint EndPointOf(Uri address) => address.Scheme == LocalSocket
        ? new UnixDomainSocketEndPoint(address.AbsolutePath)
        : IPAddress.TryParse(address.Host.Trim('[', ']'), out var ip) ? new IPEndPoint(ip, address.Port) : new DnsEndPoint(address.Host, address.Port);

    private static SocketChannelOptions SocketOptions(RpcChannelSettings settings)
    {
        var options = new SocketChannelOptions();
        return options with { Timeout = settings.Timeout ?? options.Timeout, ConnectTimeout = settings.ConnectTimeout ?? options.ConnectTimeout, Source = settings.Source };
    }
}
