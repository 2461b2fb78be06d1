using System.Net;
using System.Net.NetworkInformation;

namespace Postrider.Broker.Peers;

/// <summary>The addresses under which other machines reach a port that listens on all of them.</summary>
internal static class MachineAddresses
{
    /// <summary>Lists them: neither loopback nor link-local ones, unless there is no other.</summary>
    /// <param name="port">The port.</param>
    /// <returns>HOST:PORT; at least one.</returns>
    public static IReadOnlyList<string> With(int port)
    {
        var addresses = NetworkInterface.GetAllNetworkInterfaces()
            .Where(static one => one.OperationalStatus == OperationalStatus.Up)
            .SelectMany(static one => one.GetIPProperties().UnicastAddresses)
            .Select(static one => one.Address)
            .Where(static address => !IPAddress.IsLoopback(address) && !address.IsIPv6LinkLocal)
            .Select(address => Join(address.ToString(), port))
            .Distinct(StringComparer.Ordinal)
            .ToList();
        return addresses.Count > 0 ? addresses : [Join("127.0.0.1", port)];
    }

    /// <summary>Whether an address stands for all addresses of the machine.</summary>
    public static bool IsWildcard(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);

    /// <inheritdoc cref="IsWildcard(IPAddress)"/>
    public static bool IsWildcard(string host) => IPAddress.TryParse(host, out var address) && IsWildcard(address);

    /// <summary>Writes HOST:PORT.</summary>
    public static string Join(string host, int port) => host.Contains(':', StringComparison.Ordinal) ? $"[{host}]:{port}" : $"{host}:{port}";
}
