using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Sessions;

/// <summary>Is told what happens to sessions.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface ISessionEvents
{
    /// <summary>A client was let in.</summary>
    void Connected(ClientSession session);

    /// <summary>A connection ended, whether its client was let in or not.</summary>
    /// <param name="session">The session.</param>
    /// <param name="last">Its last state.</param>
    void Disconnected(ClientSession session, ConnectionInfo last);

    /// <summary>A client was refused, or is no longer allowed to stay.</summary>
    /// <param name="session">The session.</param>
    /// <param name="end">Why.</param>
    void AuthenticationFailed(ClientSession session, ClosedState end);

    /// <summary>Writes how many connections an account has.</summary>
    void WriteConnections(Utf8JsonWriter json, Account account);

    /// <summary>Publishes an event to those who listen.</summary>
    /// <param name="subject">Its subject.</param>
    /// <param name="write">Writes its members.</param>
    void Publish(string subject, Action<Utf8JsonWriter> write);

    /// <summary>Publishes what waits, says that the server ends, and is silent from then on.</summary>
    Task ShutDownAsync();

    /// <summary>Says that clients are asked to leave.</summary>
    void EnterLameDuckMode();
}
