namespace Postrider.Broker.Routing;

/// <summary>Details of a connection, for advisories.</summary>
/// <param name="Host">Its address; null in the same process.</param>
/// <param name="Name">The name sent by the client, or null.</param>
/// <param name="Language">The client's language, or null.</param>
/// <param name="Version">The client's version, or null.</param>
/// <param name="StartedAt">When it was accepted.</param>
/// <param name="RoundTrip">Last time from PING to PONG; zero when none was measured.</param>
internal sealed record ClientInfo(string? Host, string? Name, string? Language, string? Version, DateTimeOffset StartedAt, TimeSpan RoundTrip)
{
    /// <summary>The user's token; null without one, and for one that is enough to connect.</summary>
    public string? Token { get; init; }

    /// <summary>The key that signed the token, or the account of a user with a key; null for others.</summary>
    public string? IssuerKey { get; init; }

    /// <summary>The name in the user's token; null without one.</summary>
    public string? NameTag { get; init; }

    /// <summary>The tags in the user's token.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>When the connection has to end; null for never.</summary>
    public DateTimeOffset? EndsAt { get; init; }

    /// <summary>The protocol of the connection: <c>nats</c> or <c>websocket</c>.</summary>
    public string Type { get; init; } = "nats";
}
