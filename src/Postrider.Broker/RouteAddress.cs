using System.Diagnostics.CodeAnalysis;

namespace Postrider.Broker;

/// <summary>The address of another server of the cluster.</summary>
/// <param name="Host">A host name or IP address.</param>
/// <param name="Port">1 to 65535.</param>
/// <param name="User">The user, or null.</param>
/// <param name="Password">The password, or null.</param>
internal sealed record RouteAddress(string Host, int Port, string? User, string? Password)
{
    /// <summary>Host and port, with an IPv6 address in brackets.</summary>
    public string HostAndPort => Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]:{Port}" : $"{Host}:{Port}";

    /// <summary>Parses an address.</summary>
    /// <param name="text">An address such as <c>nats-route://user:password@host:6222</c>.</param>
    /// <param name="address">The address.</param>
    /// <param name="problem">The problem, without the password; null on success.</param>
    /// <returns>Whether the address is valid.</returns>
    public static bool TryParse(string text, [NotNullWhen(true)] out RouteAddress? address, [NotNullWhen(false)] out string? problem)
    {
        address = null;
        if (!Uri.TryCreate(text.Trim(), UriKind.Absolute, out var url) || url.Host.Length == 0)
        {
            problem = $"error parsing route url: {GoQuote.QuoteUrl(text)} is not an address such as \"nats-route://host:6222\"";
            return false;
        }
        var scheme = url.Scheme.ToLowerInvariant();
        if (scheme is not ("nats-route" or "nats" or "tls" or "tcp"))
        {
            problem = $"error parsing route url: unknown scheme \"{scheme}\"; use nats-route://";
            return false;
        }
        var user = url.UserInfo.Split(':', 2);
        address = new RouteAddress(
            url.Host.Trim('[', ']'),
            url.Port <= 0 ? ClusterOptions.DefaultPort : url.Port,
            user[0].Length == 0 ? null : Uri.UnescapeDataString(user[0]),
            user.Length < 2 ? null : Uri.UnescapeDataString(user[1]));
        problem = null;
        return true;
    }
}
