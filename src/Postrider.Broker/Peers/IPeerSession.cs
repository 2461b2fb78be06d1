using Postrider.Broker.Sessions;
using Postrider.Sockets;

namespace Postrider.Broker.Peers;

/// <summary>The part of a session with another server that its timer uses.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface IPeerSession
{
    /// <summary>The session in log lines.</summary>
    string Name { get; }

    /// <summary>The connection.</summary>
    Connection Connection { get; }

    /// <summary>When something was last received, as a timestamp of the broker's clock.</summary>
    long LastActivity { get; }

    /// <summary>Sends frames.</summary>
    void Send(ReadOnlySpan<byte> frames);

    /// <summary>Ends the session after its pending bytes were sent, with an error if there is one.</summary>
    /// <param name="end">The reason.</param>
    /// <param name="error">The error to send to the other server, or null.</param>
    /// <param name="batch">The batch of the frame that caused it; null outside of one.</param>
    void End(ClosedState end, string? error, SendBatch? batch = null);
}
