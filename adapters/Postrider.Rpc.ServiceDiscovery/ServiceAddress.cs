using System.Net;
using Microsoft.Extensions.ServiceDiscovery;

namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>The address of a service by its name.</summary>
internal sealed class ServiceAddress
{
    private readonly Uri _address;
    private readonly string _scheme;

    /// <summary>Creates an address.</summary>
    /// <param name="address">The address; its scheme may be two with a plus sign, the preferred one first.</param>
    public ServiceAddress(Uri address)
    {
        _address = address;
        _scheme = address.Scheme.Split('+')[0];
        Query = address.IsDefaultPort || address.Port <= 0 ? $"{address.Scheme}://{address.Host}" : $"{address.Scheme}://{address.Host}:{address.Port}";
    }

    /// <summary>What service discovery is asked for.</summary>
    public string Query { get; }

    /// <summary>The address of an endpoint of the service.</summary>
    /// <exception cref="RpcException">The endpoint is of another kind, or has no port: <see cref="RpcStatus.Unavailable"/>.</exception>
    public Uri Of(EndPoint endPoint) => endPoint switch
    {
        UriEndPoint { Uri: { IsFile: false, Host.Length: > 0 } uri } => Build(uri.Scheme, uri.Host, uri.Port, uri.AbsolutePath.TrimEnd('/')),
        UriEndPoint { Uri: var uri } => uri,
        IPEndPoint ip => Build(_scheme, ip.Address.ToString(), ip.Port, ""),
        DnsEndPoint name => Build(_scheme, name.Host, name.Port, ""),
        _ => throw Unusable($"{endPoint} of {Query} is a {endPoint.GetType().Name}, which is no address of a service."),
    };

    private static RpcException Unusable(string message) => new(RpcStatus.Unavailable, message) { IsUnsent = true };

    private Uri Build(string scheme, string host, int port, string prefix)
    {
        // HTTP and WebSockets have default ports.
        if (port <= 0 && scheme is "tcp" or "tls")
            throw Unusable($"The endpoint {host} of {Query} has no port. Set it, for example Services:{_address.Host}:{scheme}:0 to {host}:5090.");
        return new UriBuilder(_address) { Scheme = scheme, Host = host, Port = port > 0 ? port : -1, Path = prefix + _address.AbsolutePath }.Uri;
    }
}
