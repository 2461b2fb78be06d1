namespace Postrider.Sockets.WebSockets;

/// <summary>A request to open a WebSocket. Immutable.</summary>
public sealed class WebSocketRequest
{
    private readonly HttpHead _head;

    private WebSocketRequest(HttpHead head, string method, string target, bool isSecure)
        => (_head, Method, Target, IsSecure) = (head, method, target, isSecure);

    /// <summary>The method; <c>GET</c> in requests that may be accepted.</summary>
    public string Method { get; }

    /// <summary>The path and query as sent.</summary>
    public string Target { get; }

    /// <summary>Whether the request came over TLS.</summary>
    public bool IsSecure { get; }

    /// <summary>The host and port in the request; empty when it has none.</summary>
    public string Host => Find("Host") ?? "";

    /// <summary>The first value of a header field.</summary>
    /// <param name="name">The field's name, case-insensitive.</param>
    /// <returns>The trimmed value; null without such a field.</returns>
    public string? Find(string name) => _head.First(name);

    /// <summary>The value of a cookie.</summary>
    /// <param name="name">The cookie's name.</param>
    /// <returns>The value without quotes; null without such a cookie.</returns>
    public string? FindCookie(string name)
    {
        foreach (var cookie in _head.All("Cookie").SelectMany(static value => value.Split(';')))
        {
            var equals = cookie.IndexOf('=', StringComparison.Ordinal);
            if (equals < 0 || !cookie.AsSpan(0, equals).Trim().SequenceEqual(name)) continue;
            var value = cookie.AsSpan(equals + 1).Trim();
            return (value is ['"', .., '"'] ? value[1..^1] : value).ToString();
        }
        return null;
    }

    internal static WebSocketRequest Read(HttpHead head, bool isSecure)
    {
        var parts = head.StartLine.Split(' ');
        if (parts.Length != 3 || !parts[2].StartsWith("HTTP/1.", StringComparison.Ordinal)) throw new WebSocketProtocolException("malformed HTTP request");
        return new WebSocketRequest(head, parts[0], parts[1], isSecure);
    }

    internal bool HasToken(string name, string token) => _head.HasToken(name, token);

    internal IEnumerable<string> All(string name) => _head.All(name);
}
