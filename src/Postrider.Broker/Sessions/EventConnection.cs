using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Sessions;

/// <summary>The connection that an event is about: a client's or a leaf node's.</summary>
/// <param name="Info">Its state.</param>
/// <param name="User">The user that its CONNECT names; null when it names none.</param>
/// <param name="Token">The token in its CONNECT; null without one.</param>
internal readonly record struct EventConnection(ConnectionInfo Info, string? User, string? Token)
{
    /// <summary>A client's connection as it is now.</summary>
    public static EventConnection Of(ClientSession session) => Of(session, SessionInfoMapper.Read(session, withSubscriptions: false));

    /// <summary>A client's connection.</summary>
    /// <param name="session">The client's session.</param>
    /// <param name="info">Its state.</param>
    public static EventConnection Of(ClientSession session, ConnectionInfo info)
        => session.State.Connect is { } connect ? new(info, session.State.NameIn(connect), connect.Jwt) : new(info, null, null);
}
