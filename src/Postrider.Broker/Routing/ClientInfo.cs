namespace Postrider.Broker.Routing;

/// <summary>Details of a connection, for advisories.</summary>
/// <param name="Host">Its address; null in the same process.</param>
/// <param name="Name">The name sent by the client, or null.</param>
/// <param name="Language">The client's language, or null.</param>
/// <param name="Version">The client's version, or null.</param>
/// <param name="StartedAt">When it was accepted.</param>
/// <param name="RoundTrip">Last time from PING to PONG; zero when none was measured.</param>
internal sealed record ClientInfo(string? Host, string? Name, string? Language, string? Version, DateTimeOffset StartedAt, TimeSpan RoundTrip);
