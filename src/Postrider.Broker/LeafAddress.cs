using System.Diagnostics.CodeAnalysis;

namespace Postrider.Broker;

/// <summary>An address of a leaf node's remote.</summary>
/// <param name="Host">A host name or IP address.</param>
/// <param name="Port">1 to 65535.</param>
/// <param name="IsTls">Whether the connection must be encrypted.</param>
/// <param name="IsWebSocket">Whether it is a WebSocket.</param>
/// <param name="Path">The path of a WebSocket; empty for others.</param>
/// <param name="User">The user, or null.</param>
/// <param name="Password">The password, or null.</param>
internal sealed record LeafAddress(string Host, int Port, bool IsTls, bool IsWebSocket, string Path, string? User, string? Password)
{
    // Listeners for WebSockets distinguish leaf nodes from clients by this path.
    private const string WebSocketPath = "/leafnode";

    /// <summary>Host and port, with an IPv6 address in brackets.</summary>
    public string HostAndPort => Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]:{Port}" : $"{Host}:{Port}";

    /// <summary>Parses an address.</summary>
    /// <param name="text">An address such as <c>nats-leaf://user:password@host:7422</c>.</param>
    /// <param name="address">The address.</param>
    /// <param name="problem">The problem, without the password; null on success.</param>
    /// <returns>Whether the address is valid.</returns>
    public static bool TryParse(string text, [NotNullWhen(true)] out LeafAddress? address, [NotNullWhen(false)] out string? problem)
    {
        address = null;
        if (!Uri.TryCreate(text.Trim(), UriKind.Absolute, out var url) || url.Host.Length == 0)
        {
            problem = $"error parsing leafnode url: {GoQuote.QuoteUrl(text)} is not an address such as \"nats-leaf://host:7422\"";
            return false;
        }
        var scheme = url.Scheme.ToLowerInvariant();
        var isWebSocket = scheme is "ws" or "wss";
        if (!isWebSocket && scheme is not ("nats-leaf" or "leafnode" or "leaf" or "nats" or "tls" or "tcp"))
        {
            problem = $"error parsing leafnode url: unknown scheme \"{scheme}\"; use nats-leaf://, tls://, ws:// or wss://";
            return false;
        }
        var user = url.UserInfo.Split(':', 2);
        address = new LeafAddress(
            url.Host.Trim('[', ']'),
            HasPort(url) ? url.Port : LeafNodeOptions.DefaultPort,
            scheme is "tls" or "wss",
            isWebSocket,
            isWebSocket ? url.AbsolutePath.TrimEnd('/') + WebSocketPath : "",
            user[0].Length == 0 ? null : Uri.UnescapeDataString(user[0]),
            user.Length < 2 ? null : Uri.UnescapeDataString(user[1]));
        problem = null;
        return true;
    }

    // When no port is written, the scheme's default port is not used.
    private static bool HasPort(Uri url)
    {
        if (url.Port <= 0 || !url.IsDefaultPort) return url.Port > 0;
        var authority = url.OriginalString[(url.OriginalString.IndexOf("://", StringComparison.Ordinal) + 3)..].Split('/', '?', '#')[0];
        return authority.LastIndexOf(':') > Math.Max(authority.LastIndexOf(']'), authority.LastIndexOf('@'));
    }
}
