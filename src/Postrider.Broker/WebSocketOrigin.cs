using System.Diagnostics.CodeAnalysis;

namespace Postrider.Broker;

/// <summary>The origin of a browser's page. Source: RFC 6454; nats-server, websocket origins.</summary>
/// <param name="Scheme">http or https.</param>
/// <param name="Host">In lower case.</param>
/// <param name="Port">The port; 80 or 443 if none was written.</param>
internal readonly record struct WebSocketOrigin(string Scheme, string Host, int Port)
{
    /// <summary>Parses an origin.</summary>
    /// <param name="text">A text such as <c>https://example.org:8443</c>.</param>
    /// <param name="origin">The origin.</param>
    /// <param name="problem">The problem, or null.</param>
    /// <returns>False with a problem.</returns>
    public static bool TryParse(string text, out WebSocketOrigin origin, [NotNullWhen(false)] out string? problem)
    {
        origin = default;
        problem = null;
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri)) problem = $"parse {GoQuote.Quote(text)}: invalid URI for request";
        else if (uri.Scheme is not ("http" or "https")) problem = $"unable to parse allowed origin {GoQuote.Quote(text)}: allowed origins must be absolute URLs with http or https scheme";
        else if (uri.Host.Length == 0) problem = $"unable to parse allowed origin {GoQuote.Quote(text)}: host is required";
        else origin = new WebSocketOrigin(uri.Scheme, uri.IdnHost.ToLowerInvariant(), uri.Port);
        return problem is null;
    }

    /// <summary>The origin of a page of the server that a request names.</summary>
    /// <param name="isSecure">Whether the request came over TLS.</param>
    /// <param name="host">The request's host, with or without a port.</param>
    /// <returns>Null when it is not a valid host.</returns>
    public static WebSocketOrigin? OfHost(bool isSecure, string host)
        => TryParse($"{(isSecure ? "https" : "http")}://{host}", out var origin, out _) ? origin : null;
}
