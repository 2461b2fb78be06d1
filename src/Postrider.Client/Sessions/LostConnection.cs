using System.Globalization;

namespace Postrider.Client.Sessions;

/// <summary>The connection that a client lost last.</summary>
/// <param name="Server">The server, <c>host:port</c>.</param>
/// <param name="At">When it was lost.</param>
internal sealed record LostConnection(string Server, DateTimeOffset At)
{
    /// <summary>Describes why nothing arrives, as a sentence; null while the client is connected.</summary>
    public static string? Describe(NatsSession session)
    {
        if (session.ServerConnection is not null) return null;
        if (session.State == ConnectionState.Closed) return "The client is closed.";
        return session.LastLost is { } lost
            ? string.Create(CultureInfo.InvariantCulture, $"The client is not connected: it lost {lost.Server} at {lost.At.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC and is reconnecting.")
            : $"The client is not connected: it has not reached {string.Join(" or ", session.Servers.Addresses)} yet.";
    }
}
