using System.Globalization;
using System.Net;

namespace Postrider.Broker.Trust;

/// <summary>Networks that users may connect from.</summary>
internal static class SourceNetworks
{
    /// <summary>Whether an address is in one of the networks.</summary>
    /// <param name="networks">The networks in CIDR form; an empty list contains every address.</param>
    /// <param name="address">The address; null is in no network.</param>
    /// <returns>Also false when a network is invalid.</returns>
    public static bool Contain(IReadOnlyList<string> networks, IPAddress? address)
    {
        if (networks.Count == 0) return true;
        if (address is null) return false;
        var plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return networks.Any(network => Contains(network, plain));
    }

    // Unlike in IPNetwork, bits after the prefix may be set: nats-server ignores them.
    private static bool Contains(string network, IPAddress address)
    {
        var slash = network.IndexOf('/', StringComparison.Ordinal);
        if (slash < 0 || !IPAddress.TryParse(network.AsSpan(0, slash), out var first) || first.AddressFamily != address.AddressFamily) return false;
        var (wanted, given) = (first.GetAddressBytes(), address.GetAddressBytes());
        if (!int.TryParse(network.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var bits) || bits > wanted.Length * 8) return false;
        var whole = bits / 8;
        if (!wanted.AsSpan(0, whole).SequenceEqual(given.AsSpan(0, whole))) return false;
        var mask = (byte)(0xFF << (8 - (bits % 8)));
        return bits % 8 == 0 || (wanted[whole] & mask) == (given[whole] & mask);
    }
}
