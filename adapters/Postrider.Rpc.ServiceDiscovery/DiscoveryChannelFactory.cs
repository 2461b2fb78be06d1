using Microsoft.Extensions.ServiceDiscovery;
using Postrider.Rpc.Hosting;

namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>Creates channels to services whose endpoints are resolved.</summary>
internal sealed class DiscoveryChannelFactory(ServiceEndpointResolver resolver) : RpcChannelFactory
{
    public override IReadOnlyCollection<string> Schemes { get; } =
    [
        "http", "https", "http+https", "https+http", "tcp", "tls", "tcp+tls", "tls+tcp", "ws", "wss", "ws+wss", "wss+ws",
    ];

    public override bool ResolvesEndpoints => true;

    public override RpcChannel Create(Uri address, RpcCodec codec, RpcChannelSettings settings)
        => address.HostNameType is UriHostNameType.IPv4 or UriHostNameType.IPv6 && BuiltIn.Schemes.Contains(address.Scheme, StringComparer.Ordinal)
            ? BuiltIn.Create(address, codec, settings)
            : new DiscoveredChannel(new ServiceAddress(address), resolver, endpoint => BuiltIn.Create(endpoint, codec, settings));
}
