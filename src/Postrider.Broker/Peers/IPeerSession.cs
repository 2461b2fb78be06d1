using Postrider.Broker.Sessions;
using Postrider.Sockets;

namespace Postrider.Broker.Peers;

/// <summary>A connection to another server, as far as its timer asks.</summary>
/// <remarks>Thread-safe.</remarks>
internal interface IPeerSession
{
    /// <summary>The connection.</summary>
    Connection Connection { get; }

    /// <summary>When something was received last, as a timestamp of the broker's clock.</summary>
    long LastActivity { get; }

    /// <summary>Sends frames.</summary>
    void Send(ReadOnlySpan<byte> frames);

    /// <summary>Ends the session after what waits was sent, and an error if there is one.</summary>
    /// <param name="end">Why.</param>
    /// <param name="error">The error that the other server is told, or null.</param>
    /// <param name="batch">The batch of the frame that caused it; null outside of one.</param>
    void End(ClosedState end, string? error, SendBatch? batch = null);
}
