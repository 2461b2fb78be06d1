namespace Postrider.Rpc.Framing;

/// <summary>A way for bytes between two ends: a socket, a TLS or WebSocket session, a stretch of another connection.</summary>
/// <remarks>One receives and one sends at a time; each may be under way while the other is. A buffer that is sent holds whole frames.</remarks>
internal abstract class FrameTransport : IDisposable
{
    /// <summary>The other end, in words.</summary>
    public abstract string Peer { get; }

    /// <summary>How many bytes the last receive gave; 0 when the peer has ended or <see cref="ReceiveFailure"/> says why.</summary>
    public int Received { get; protected set; }

    /// <summary>Why nothing was received, or null.</summary>
    public Exception? ReceiveFailure { get; protected set; }

    /// <summary>How many bytes the last send took.</summary>
    public int Sent { get; protected set; }

    /// <summary>Why nothing was sent, or null.</summary>
    public Exception? SendFailure { get; protected set; }

    /// <summary>So much is under way that what comes next is better waited for by many frames than handled at once.</summary>
    public bool IsBusy { get; set; }

    /// <summary>Called when a receive that was under way is done.</summary>
    public Action OnReceived { get; set; } = null!;

    /// <summary>Called when a send that was under way is done.</summary>
    public Action OnSent { get; set; } = null!;

    /// <summary>Asks for bytes.</summary>
    /// <returns>True when it is under way; false when it is done.</returns>
    /// <exception cref="ObjectDisposedException">The transport is closed.</exception>
    public abstract bool Receive(byte[] buffer, int offset, int count);

    /// <summary>Sends bytes, or some of them.</summary>
    /// <returns>True when it is under way; false when it is done.</returns>
    /// <exception cref="ObjectDisposedException">The transport is closed.</exception>
    public abstract bool Send(byte[] buffer, int offset, int count);

    /// <summary>Closes it; what is under way ends.</summary>
    public abstract void Dispose();
}
