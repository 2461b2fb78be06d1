namespace Postrider.Rpc.Framing;

/// <summary>The reverse direction of a connection: its server calls, its client serves.</summary>
/// <remarks>A reverse connection is a complete connection, nested in frames of the outer one, with its own handshake, windows and
/// limits.</remarks>
internal sealed class ReverseFrameTransport(FrameConnection around, long maxWaitingBytes) : BufferedFrameTransport(maxWaitingBytes)
{
    // The outer frame must stay below the peer's limit.
    private const int MaxBytes = 48 * 1024;

    private int _isHeld;

    public override string Peer => around.Peer;

    public override bool Send(byte[] buffer, int offset, int count)
    {
        var part = Math.Min(count, MaxBytes);
        Sent = part;
        switch (around.TrySendReverse(buffer.AsSpan(offset, part)))
        {
            case null:
                SendFailure = new IOException("The outer connection is closed.");
                return false;
            case true:
                return false;
        }

        // The peer does not read: this side continues when the outer connection does.
        Volatile.Write(ref _isHeld, 1);
        return !around.MayResume || Interlocked.Exchange(ref _isHeld, 0) == 0;
    }

    /// <summary>Called when the outer connection has drained its send queue or has ended.</summary>
    public void Resume()
    {
        if (Interlocked.Exchange(ref _isHeld, 0) != 0)
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.OnSent(), this, preferLocal: false);
    }
}
