// Hot path: engine -> this -> IReceiver, Outbox -> this -> socket. Allocations: none per read or send.
using System.Net;

namespace Postrider.Sockets;

/// <summary>One end of a byte connection, independent of the protocol: an <see cref="IReceiver"/> consumes received bytes, the <see cref="Outbox"/> holds bytes to send.</summary>
/// <remarks>Thread-safe. The engine that created it decides which thread reads.</remarks>
public abstract class Connection
{
    private Ending? _ending;
    private int _pauses;
    private int _readingOver;
    private int _isClosedNotified;
    private volatile bool _peerEnded;

    /// <summary>Creates a connection that does not read yet.</summary>
    /// <param name="batches">The batches that may write to it.</param>
    /// <param name="time">The clock of deadlines.</param>
    private protected Connection(SendBatchSet batches, TimeProvider time)
    {
        Batches = batches;
        Outbox = new Outbox(this, time);
    }

    /// <summary>The bytes to send.</summary>
    public Outbox Outbox { get; }

    /// <summary>The batches that may write to this connection.</summary>
    public SendBatchSet Batches { get; }

    /// <summary>The other end's address, or null when there is none.</summary>
    public abstract EndPoint? RemoteEndPoint { get; }

    /// <summary>This end's address, or null when there is none.</summary>
    public abstract EndPoint? LocalEndPoint { get; }

    /// <summary>Whether the connection is closed.</summary>
    public bool IsClosed => Volatile.Read(ref _ending) is not null;

    /// <summary>Whether waiting bytes are still sent after the other side has closed only its direction. Default false: the connection is closed then.</summary>
    /// <remarks>The receiver is notified at once, later appends are dropped, and the connection is closed when
    /// everything was sent or <see cref="Outbox.WriteDeadline"/> passed.</remarks>
    public bool DrainOnHalfClose { get; set; }

    /// <summary>Whether both ends live in this process, without a socket between them.</summary>
    public virtual bool IsInMemory => false;

    /// <summary>Whether the other side is known to have ended its direction, though not all that it sent before may have been read. False where the engine cannot know.</summary>
    public virtual bool HasPeerHungUp => false;

    /// <summary>The protocol on the connection; set by <see cref="Start"/>.</summary>
    private protected IReceiver? Receiver { get; private set; }

    /// <summary>Whether reading is paused.</summary>
    public virtual bool IsPaused => HasPauses;

    /// <summary>Whether <see cref="PauseReading"/> was called more often than <see cref="ResumeReading"/>.</summary>
    private protected bool HasPauses => Volatile.Read(ref _pauses) > 0;

    /// <summary>The connection that an engine reads: this one, or the one below it.</summary>
    internal virtual Connection Transport => this;

    /// <summary>Whether a closed connection waits for the other side to close.</summary>
    private protected bool Lingers => Volatile.Read(ref _ending) is { Lingers: true };

    /// <summary>Whether the connection was closed because everything was sent.</summary>
    private protected bool WasSent => Volatile.Read(ref _ending) is { WasSent: true };

    /// <summary>Why the connection was closed; null while it is open.</summary>
    internal CloseReason? EndReason => Volatile.Read(ref _ending)?.Reason;

    /// <summary>The error that closed the connection, if there was one.</summary>
    internal Exception? EndError => Volatile.Read(ref _ending)?.Error;

    /// <summary>Whether the receiver closes the connection when the other side has ended its direction, instead of the connection doing so.</summary>
    internal bool LeavesHalfCloseToReceiver { get; set; }

    /// <summary>The number of groups of connections that a loop tells apart.</summary>
    internal const int TurnGroups = 1024;

    /// <summary>Connections with the same number share a turn.</summary>
    internal int TurnGroup { get; private set; }

    /// <summary>Makes the connection share turns with those of the same owner: connections that send more than a turn handles are read by turns,
    /// one of each owner. Until it is called, a connection has turns of its own. Any thread.</summary>
    /// <param name="owner">A hash of the owner. Owners are told apart by one of 1,024 numbers: two may share one.</param>
    public void ShareTurns(int owner) => Transport.TurnGroup = (int)((uint)owner % TurnGroups);

    /// <summary>Starts reading. Call once.</summary>
    /// <param name="receiver">Receives the bytes and the close.</param>
    public void Start(IReceiver receiver)
    {
        Receiver = receiver;
        // Either this sees that reading is over, or the thread that ends it sees the receiver.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _readingOver) != 0) NotifyClosedOnce();
        else BeginReading();
    }

    /// <summary>Stops reading until <see cref="ResumeReading"/> was called as often; meanwhile the other side's bytes wait in the system.</summary>
    public void PauseReading()
    {
        if (Interlocked.Increment(ref _pauses) == 1) ReadingChanged();
    }

    /// <summary>Undoes one <see cref="PauseReading"/>.</summary>
    public void ResumeReading()
    {
        if (Interlocked.Decrement(ref _pauses) == 0) ReadingChanged();
    }

    /// <summary>Closes the connection after everything appended so far was sent; later appends are dropped.</summary>
    /// <remarks>
    /// On a socket the receiver is notified then, but bytes that the other side still sends are read and dropped for up to
    /// <see cref="LongestLinger"/> until it closes too: closing on unread bytes would reset the connection, and the
    /// other side could lose the last bytes.
    /// </remarks>
    public void CloseAfterSending() => Outbox.CloseWhenEmpty();

    /// <summary>Closes the connection now; waiting bytes are dropped. The reading thread notifies the receiver after the last bytes.</summary>
    public void Close() => Close(CloseReason.ByUs, null);

    // Several round trips on any network; a side that sends on for longer does not read.
    internal static readonly TimeSpan LongestLinger = TimeSpan.FromSeconds(2);

    /// <summary>Closes because everything was sent.</summary>
    internal void CloseSent() => Close(CloseReason.ByUs, null, lingers: !_peerEnded, wasSent: true);

    internal void Close(CloseReason reason, Exception? error) => Close(reason, error, lingers: false, wasSent: false);

    /// <summary>Replaces the receiver. Call inside <see cref="IReceiver.Receive"/>, and request a yield of its batch: the
    /// next call goes to the new receiver.</summary>
    internal void ReplaceReceiver(IReceiver receiver) => Receiver = receiver;

    private void Close(CloseReason reason, Exception? error, bool lingers, bool wasSent)
    {
        if (Interlocked.CompareExchange(ref _ending, new Ending(reason, error, lingers, wasSent), null) is not null) return;
        Outbox.Close();
        Shutdown();
    }

    /// <summary>Offers bytes to the system; called by one sender at a time.</summary>
    /// <param name="segments">1 to 8 pieces, valid until the outbox is notified that they were sent.</param>
    /// <param name="sentBytes">The number of bytes accepted at once.</param>
    internal abstract TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes);

    /// <summary>Makes the engine call <see cref="Outbox.ContinueBlocked"/> once the system accepts bytes again.</summary>
    internal abstract void AwaitWritable();

    private protected abstract void BeginReading();

    private protected abstract void ReadingChanged();

    /// <summary>Ends the connection because the other side sends no more. Called by the engine on the reading thread, which stops reading.</summary>
    private protected void EndByPeer()
    {
        if (LeavesHalfCloseToReceiver)
        {
            _peerEnded = true;
            EndReading();
            return;
        }
        if (!DrainOnHalfClose || Outbox.PendingBytes == 0)
        {
            Close(CloseReason.ByPeer, null);
            return;
        }
        _peerEnded = true;
        EndReading();
        Outbox.CloseWhenEmpty();
    }

    /// <summary>Ends the transport; when no <see cref="IReceiver.Receive"/> runs any more, the engine calls <see cref="EndReading"/>.</summary>
    private protected abstract void Shutdown();

    /// <summary>Notifies the receiver of the close, once. Called by the engine on the reading thread of a connection that no longer reads.</summary>
    private protected void EndReading()
    {
        Interlocked.Exchange(ref _readingOver, 1);
        NotifyClosedOnce();
    }

    private void NotifyClosedOnce()
    {
        if (Receiver is { } receiver && Interlocked.Exchange(ref _isClosedNotified, 1) == 0) NotifyClosed(receiver);
    }

    // The connection did not end for the reason that ended the sending of the rest.
    private void NotifyClosed(IReceiver receiver)
    {
        if (_peerEnded) receiver.Closed(CloseReason.ByPeer, null);
        else receiver.Closed(_ending!.Reason, _ending.Error);
    }

    private sealed record Ending(CloseReason Reason, Exception? Error, bool Lingers, bool WasSent);
}
