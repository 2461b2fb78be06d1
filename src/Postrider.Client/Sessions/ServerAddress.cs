
namespace Postrider.Client.Sessions;

/// <summary>One server's address, with the credentials contained in it.</summary>
internal sealed record ServerAddress(string Host, int Port, string? User, string? Password, string? Token, bool RequiresTls)
{
    public const int DefaultPort = 4222;
    private const int DefaultHttpPort = 80;
    private const int DefaultHttpsPort = 443;

    /// <summary>The path and query of a WebSocket's address; null for a plain connection.</summary>
    public string? WebSocketTarget { get; init; }

    /// <summary>The name that the server's certificate must be for, if it is not the host: that of the server that announced this one.</summary>
    public string? TlsName { get; init; }

    /// <summary>Host and port, in the form of INFO's connect_urls.</summary>
    public string HostAndPort => Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]:{Port}" : $"{Host}:{Port}";

    public static ServerAddress Parse(string text) => TryParse(text, out var problem) ?? throw new NatsClientException(NatsErrorCode.InvalidOption, problem);

    /// <summary>Reads an address.</summary>
    /// <param name="text">The address.</param>
    /// <param name="problem">Why it is not valid; empty if it is.</param>
    /// <returns>Null when it is not valid.</returns>
    public static ServerAddress? TryParse(string text, out string problem)
    {
        ArgumentNullException.ThrowIfNull(text);
        var trimmed = text.Trim();
        var hasScheme = trimmed.Contains("://", StringComparison.Ordinal);
        if (!hasScheme && trimmed.Contains(":/", StringComparison.Ordinal))
        {
            problem = $"Server address '{text}' has one slash after its scheme. Write nats://host:port.";
            return null;
        }
        var withScheme = hasScheme ? trimmed : $"nats://{trimmed}";
        if (!Uri.TryCreate(withScheme, UriKind.Absolute, out var uri) || uri.Host.Length == 0)
        {
            problem = $"Server address '{text}' does not have the form nats://host:port, with a port from 1 to 65535.";
            return null;
        }
        if (uri.Scheme is not ("nats" or "tls" or "tcp" or "ws" or "wss"))
        {
            problem = $"Server address '{text}' has the unsupported scheme '{uri.Scheme}'. Supported: nats, tls, tcp, ws, wss.";
            return null;
        }
        var isWebSocket = uri.Scheme is "ws" or "wss";
        if (!isWebSocket && uri.PathAndQuery is not ("/" or ""))
        {
            problem = $"Server address '{text}' has the path '{uri.PathAndQuery}', which only addresses of WebSockets (ws, wss) may have. Write {uri.Scheme}://host:port.";
            return null;
        }
        problem = "";
        var parts = uri.UserInfo.Split(':', 2);
        var (user, password, token) = (parts.Length, uri.UserInfo.Length) switch
        {
            (2, _) => (Uri.UnescapeDataString(parts[0]), Uri.UnescapeDataString(parts[1]), (string?)null),
            (_, 0) => (null, null, null),
            _ => (null, null, Uri.UnescapeDataString(parts[0])),
        };
        var host = uri.Host.Trim('[', ']');
        var defaultPort = uri.Scheme switch { "ws" => DefaultHttpPort, "wss" => DefaultHttpsPort, _ => DefaultPort };
        return new ServerAddress(host, uri.Port > 0 ? uri.Port : defaultPort, user, password, token, uri.Scheme is "tls" or "wss")
        {
            WebSocketTarget = isWebSocket ? uri.PathAndQuery : null,
        };
    }
}
