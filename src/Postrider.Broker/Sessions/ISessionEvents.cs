using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Sessions;

/// <summary>Receives and publishes the events of sessions.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface ISessionEvents
{
    /// <summary>A client was accepted.</summary>
    void Connected(ClientSession session);

    /// <summary>A connection ended, whether its client was accepted or not.</summary>
    /// <param name="session">The session.</param>
    /// <param name="last">Its last state.</param>
    void Disconnected(ClientSession session, ConnectionInfo last);

    /// <summary>A client was rejected, or is no longer allowed to stay.</summary>
    /// <param name="session">The session.</param>
    /// <param name="end">The reason.</param>
    void AuthenticationFailed(ClientSession session, ClosedState end);

    /// <summary>The number of connections of an account has changed.</summary>
    void ConnectionsChanged(Account account);

    /// <summary>Writes the number of connections of an account.</summary>
    void WriteConnections(Utf8JsonWriter json, Account account);

    /// <summary>Publishes an event if its subject has interest.</summary>
    /// <param name="subject">Its subject.</param>
    /// <param name="write">Writes its members.</param>
    void Publish(string subject, Action<Utf8JsonWriter> write);

    /// <summary>Publishes the waiting events and the server's shutdown, and nothing after that.</summary>
    Task ShutDownAsync();

    /// <summary>Publishes that the server enters lame duck mode.</summary>
    void EnterLameDuckMode();
}
