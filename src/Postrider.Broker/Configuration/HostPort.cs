namespace Postrider.Broker.Configuration;

/// <summary>Splits <c>host:port</c> and <c>[v6]:port</c>.</summary>
internal static class HostPort
{
    /// <summary>Host and port as written, or null when <paramref name="text"/> is not such a pair.</summary>
    internal static (string Host, string Port)? Split(string text)
    {
        var colon = text.LastIndexOf(':');
        if (colon < 0)
            return null;
        var (host, port) = (text[..colon], text[(colon + 1)..]);
        if (host is ['[', .., ']'])
            return (host[1..^1], port);
        return host.AsSpan().ContainsAny(':', '[', ']') ? null : (host, port);
    }
}
