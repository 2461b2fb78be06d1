using System.Security.Claims;

namespace Postrider.Rpc.Framing;

/// <summary>Transfers bytes between two sides: over a socket, a TLS or WebSocket session, or within another connection.</summary>
/// <remarks>At most one receive and one send may be pending at a time, but both concurrently. A sent buffer contains whole
/// frames.</remarks>
internal abstract class FrameTransport : IDisposable
{
    /// <summary>A description of the peer.</summary>
    public abstract string Peer { get; }

    /// <summary>The other side as the transport has authenticated it; null if it has not.</summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>The number of bytes of the last receive; 0 if the peer has closed or <see cref="ReceiveFailure"/> is set.</summary>
    public int Received { get; protected set; }

    /// <summary>The failure of the last receive, or null.</summary>
    public Exception? ReceiveFailure { get; protected set; }

    /// <summary>The number of bytes of the last send.</summary>
    public int Sent { get; protected set; }

    /// <summary>The failure of the last send, or null.</summary>
    public Exception? SendFailure { get; protected set; }

    /// <summary>Whether so much is pending that batching is preferable to handling events inline.</summary>
    public bool IsBusy { get; set; }

    /// <summary>Called when a pending receive has completed.</summary>
    public Action OnReceived { get; set; } = null!;

    /// <summary>Called when a pending send has completed.</summary>
    public Action OnSent { get; set; } = null!;

    /// <summary>Starts a receive.</summary>
    /// <returns>True if the operation is pending; false if it has completed.</returns>
    /// <exception cref="ObjectDisposedException">The transport is closed.</exception>
    public abstract bool Receive(byte[] buffer, int offset, int count);

    /// <summary>Starts to send all or some of the bytes.</summary>
    /// <returns>True if the operation is pending; false if it has completed.</returns>
    /// <exception cref="ObjectDisposedException">The transport is closed.</exception>
    public abstract bool Send(byte[] buffer, int offset, int count);

    /// <summary>Closes the transport. Pending operations end.</summary>
    public abstract void Dispose();
}
