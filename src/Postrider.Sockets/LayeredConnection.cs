using System.Net;

namespace Postrider.Sockets;

/// <summary>A connection on top of another one that transforms its bytes.</summary>
/// <remarks>The limits of pending bytes and the stalling of producers are those of this connection; the one below holds at most
/// <see cref="HighMark"/> bytes and one more send.</remarks>
public abstract class LayeredConnection : Connection
{
    // Maximum number of bytes pending below before those above wait: two sends.
    private protected const long HighMark = 128 * 1024;

    private readonly Action _onInnerDrained;

    // Guards whether the connection below is paused for this one.
    private readonly Lock _pauseGate = new();
    private bool _isInnerPaused;

    private protected LayeredConnection(Connection inner) : base(inner.Batches, inner.Outbox.Time)
    {
        Inner = Adopt(inner);
        _onInnerDrained = Outbox.ContinueBlocked;
    }

    /// <inheritdoc/>
    public override EndPoint? RemoteEndPoint => Inner.RemoteEndPoint;

    /// <inheritdoc/>
    public override EndPoint? LocalEndPoint => Inner.LocalEndPoint;

    /// <inheritdoc/>
    public override bool IsInMemory => Inner.IsInMemory;

    /// <inheritdoc/>
    public override bool HasPeerHungUp => Inner.HasPeerHungUp;

    /// <inheritdoc/>
    public override bool IsPaused => HasPauses || Inner.IsPaused;

    internal override Connection Transport => Inner.Transport;

    /// <summary>The connection below.</summary>
    internal Connection Inner { get; private set; }

    /// <summary>Whether the connection below holds so many bytes that this one has to wait.</summary>
    private protected bool IsInnerFull => Inner.Outbox.PendingBytes > HighMark;

    /// <summary>Inserts a connection that is on top of the one below between the two.</summary>
    private protected void Insert(LayeredConnection layer) => Inner = Adopt(layer);

    /// <summary>Closes this connection if the connection below has ended first: nothing waits for it any more.</summary>
    /// <returns>Whether this connection is closed.</returns>
    private protected bool EndWithInner()
    {
        if (!Inner.IsClosed) return false;
        Close(Inner.EndReason ?? CloseReason.ByPeer, Inner.EndError);
        return true;
    }

    /// <summary>Continues to send when the connection below has sent most of its bytes.</summary>
    private protected void AwaitInner() => Inner.Outbox.WhenBelow(HighMark, _onInnerDrained);

    private protected sealed override void ReadingChanged()
    {
        lock (_pauseGate)
        {
            // The count may have changed again since.
            if (HasPauses == _isInnerPaused) return;
            _isInnerPaused = !_isInnerPaused;
            if (_isInnerPaused) Inner.PauseReading();
            else Inner.ResumeReading();
        }
    }

    private static Connection Adopt(Connection inner)
    {
        inner.Outbox.MaxPendingBytes = long.MaxValue;
        inner.Outbox.StallsProducers = false;
        inner.LeavesHalfCloseToReceiver = true;
        return inner;
    }
}
