using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Sessions;

/// <summary>Receives and publishes the events of sessions.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface ISessionEvents
{
    /// <summary>A client or leaf node was accepted.</summary>
    /// <param name="account">Its account.</param>
    /// <param name="read">Reads its state; called at most once, before this returns.</param>
    void Connected(Account account, Func<EventConnection> read);

    /// <summary>A connection ended, whether its client was accepted or not.</summary>
    /// <param name="account">Its account: the global one if it was not accepted.</param>
    /// <param name="read">Reads its last state, with when and why it ended; called at most once, before this returns.</param>
    void Disconnected(Account account, Func<EventConnection> read);

    /// <summary>A client or leaf node was rejected, or is no longer allowed to stay.</summary>
    /// <param name="account">Its account: the global one if it was never accepted.</param>
    /// <param name="end">The reason.</param>
    /// <param name="read">Reads its state; called at most once, before this returns.</param>
    void AuthenticationFailed(Account account, ClosedState end, Func<EventConnection> read);

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
