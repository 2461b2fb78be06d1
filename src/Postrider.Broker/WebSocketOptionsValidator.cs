namespace Postrider.Broker;

/// <summary>Finds the problems in the options of the WebSocket listener.</summary>
/// <remarks>Pure; where nats-server has a text for a problem it is used, because scripts look for it.</remarks>
internal static class WebSocketOptionsValidator
{
    private static readonly string[] OwnHeaders = ["host", "content-length", "connection", "upgrade", "nats-no-masking"];

    /// <summary>The problems, the most important first.</summary>
    /// <param name="options">The options.</param>
    /// <param name="users">The names of the broker's users.</param>
    /// <param name="trustsOperators">Whether users authenticate with JWTs.</param>
    internal static IEnumerable<string> Problems(WebSocketOptions options, IReadOnlyCollection<string> users, bool trustsOperators)
    {
        if (string.IsNullOrWhiteSpace(options.Host))
            yield return "websocket host must not be empty";
        if (options.Port is 0 or < BrokerOptions.RandomPort or > ushort.MaxValue)
            yield return $"websocket port {options.Port} is neither between 1 and {ushort.MaxValue} nor {BrokerOptions.RandomPort} for a free one";
        if (options is { Tls: null, NoTls: false })
            yield return "websocket requires TLS configuration";
        if (options.Tls is { } tls && TlsMaterial.Load(tls, out var unreadable) is null)
            yield return $"websocket: {unreadable}";
        foreach (var origin in options.AllowedOrigins)
            if (!WebSocketOrigin.TryParse(origin, out _, out var problem))
                yield return problem.StartsWith("parse ", StringComparison.Ordinal) ? $"unable to parse allowed origin: {problem}" : problem;
        foreach (var problem in CredentialProblems(options, users, trustsOperators).Concat(options.Headers.Select(HeaderProblem).OfType<string>()))
            yield return problem;
        if (options.HandshakeTimeout <= TimeSpan.Zero)
            yield return $"websocket handshake_timeout ({GoDuration.Format(options.HandshakeTimeout)}) must be positive";
        if (options.PingInterval <= TimeSpan.Zero)
            yield return $"websocket ping_interval ({GoDuration.Format(options.PingInterval.Value)}) must be positive";
        if (options.AuthTimeout <= TimeSpan.Zero)
            yield return $"websocket authorization timeout ({GoDuration.Format(options.AuthTimeout.Value)}) must be positive";
    }

    private static IEnumerable<string> CredentialProblems(WebSocketOptions options, IReadOnlyCollection<string> users, bool trustsOperators)
    {
        if (options.NoAuthUser is { Length: > 0 } noAuthUser && !users.Contains(noAuthUser, StringComparer.Ordinal))
            yield return BrokerOptionsValidator.NoAuthUserProblem(noAuthUser, users.Count > 0);
        if (users.Count > 0 && !string.IsNullOrEmpty(options.User))
            yield return "websocket authentication username not compatible with presence of users/nkeys";
        if (users.Count > 0 && !string.IsNullOrEmpty(options.Token))
            yield return "websocket authentication token not compatible with presence of users/nkeys";
        if (!string.IsNullOrEmpty(options.User) && !string.IsNullOrEmpty(options.Token))
            yield return "websocket: Cannot have a user/pass and token";
        if (options.JwtCookie is { Length: > 0 } cookie && !trustsOperators)
            yield return $"trusted operators or trusted keys configuration is required for JWT authentication via cookie {GoQuote.Quote(cookie)}";
    }

    private static string? HeaderProblem(KeyValuePair<string, string> header)
    {
        var (name, value) = header;
        var lower = name.ToLowerInvariant();
        if (OwnHeaders.Contains(lower)) return $"websocket: invalid header {GoQuote.Quote(name)} not allowed";
        if (lower.StartsWith("sec-websocket-", StringComparison.Ordinal)) return $"websocket: invalid header {GoQuote.Quote(name)}, \"Sec-WebSocket-\" prefix not allowed";
        // A line break would start another header, or another response.
        var isLine = name.Length > 0 && name.All(static letter => letter is > ' ' and < '\x7f' and not ':') && !value.Any(static letter => letter is < ' ' and not '\t' or '\x7f');
        return isLine ? null : $"websocket: invalid header {GoQuote.Quote(name)}: names are visible ASCII without a colon, values are one line";
    }
}
