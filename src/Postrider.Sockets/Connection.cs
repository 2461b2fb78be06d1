// Hot path: engine -> this -> IReceiver, Outbox -> this -> socket. Allocations: none per read or send.
using System.Net;

namespace Postrider.Sockets;

/// <summary>One end of a byte connection. It knows no protocol: bytes go to an <see cref="IReceiver"/>, bytes come from the <see cref="Outbox"/>.</summary>
/// <remarks>Thread-safe. The engine that made it decides which thread reads.</remarks>
public abstract class Connection
{
    private Ending? _ending;
    private int _pauses;
    private int _readingOver;
    private int _isClosedNotified;
    private volatile bool _peerEnded;

    /// <summary>Makes a connection that does not read yet.</summary>
    /// <param name="batches">The batches that may write to it.</param>
    /// <param name="time">The clock of deadlines.</param>
    private protected Connection(SendBatchSet batches, TimeProvider time)
    {
        Batches = batches;
        Outbox = new Outbox(this, time);
    }

    /// <summary>What waits to be sent.</summary>
    public Outbox Outbox { get; }

    /// <summary>The batches that may write to this connection.</summary>
    public SendBatchSet Batches { get; }

    /// <summary>The other end's address, or null when there is none.</summary>
    public abstract EndPoint? RemoteEndPoint { get; }

    /// <summary>This end's address, or null when there is none.</summary>
    public abstract EndPoint? LocalEndPoint { get; }

    /// <summary>Whether the connection is over.</summary>
    public bool IsClosed => Volatile.Read(ref _ending) is not null;

    /// <summary>Whether what waits is still sent when the other side has ended its direction alone. Default false: the connection closes then.</summary>
    /// <remarks>The receiver's end comes at once, what is appended after it is dropped, and the connection is closed when
    /// everything was sent or <see cref="Outbox.WriteDeadline"/> passed.</remarks>
    public bool DrainOnHalfClose { get; set; }

    /// <summary>Whether both ends live in this process, without a socket between them.</summary>
    public virtual bool IsInMemory => false;

    /// <summary>What stands on the connection; set by <see cref="Start"/>.</summary>
    private protected IReceiver? Receiver { get; private set; }

    /// <summary>Whether reading is paused.</summary>
    public bool IsPaused => Volatile.Read(ref _pauses) > 0;

    /// <summary>Whether a closed connection waits for the other side to close.</summary>
    private protected bool Lingers => Volatile.Read(ref _ending) is { Lingers: true };

    /// <summary>Begins to read. Call once.</summary>
    /// <param name="receiver">Gets the bytes and the end.</param>
    public void Start(IReceiver receiver)
    {
        Receiver = receiver;
        // Either this sees that reading is over, or who ends it sees the receiver.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _readingOver) != 0) NotifyClosedOnce();
        else BeginReading();
    }

    /// <summary>Stops reading until as many <see cref="ResumeReading"/>; the other side's sends then wait in the system.</summary>
    public void PauseReading()
    {
        if (Interlocked.Increment(ref _pauses) == 1) ReadingChanged();
    }

    /// <summary>Undoes one <see cref="PauseReading"/>.</summary>
    public void ResumeReading()
    {
        if (Interlocked.Decrement(ref _pauses) == 0) ReadingChanged();
    }

    /// <summary>Closes once everything appended so far was sent; later appends are dropped.</summary>
    /// <remarks>
    /// On a socket the receiver's end comes then, but what the other side still sends is read and dropped for up to
    /// <see cref="LongestLinger"/> until it closes too: closing on unread bytes would reset the connection, and the
    /// other side could lose the last it was sent.
    /// </remarks>
    public void CloseAfterSending() => Outbox.CloseWhenEmpty();

    /// <summary>Closes now; what waits is dropped. The receiver learns it from the thread that reads, after its last bytes.</summary>
    public void Close() => Close(CloseReason.ByUs, null);

    // Several round trips on any network; a side that sends on for longer does not read.
    internal static readonly TimeSpan LongestLinger = TimeSpan.FromSeconds(2);

    /// <summary>Closes because everything was sent.</summary>
    internal void CloseSent() => Close(CloseReason.ByUs, null, lingers: !_peerEnded);

    internal void Close(CloseReason reason, Exception? error) => Close(reason, error, lingers: false);

    private void Close(CloseReason reason, Exception? error, bool lingers)
    {
        if (Interlocked.CompareExchange(ref _ending, new Ending(reason, error, lingers), null) is not null) return;
        Outbox.Close();
        Shutdown();
    }

    /// <summary>Offers bytes to the system; called by one sender at a time.</summary>
    /// <param name="segments">1 to 8 pieces, valid until the outbox is told that they were taken.</param>
    /// <param name="sentBytes">What was taken at once.</param>
    internal abstract TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes);

    /// <summary>Asks the engine to call <see cref="Outbox.Continue"/> once the system takes bytes again.</summary>
    internal abstract void AwaitWritable();

    private protected abstract void BeginReading();

    private protected abstract void ReadingChanged();

    /// <summary>Ends the connection because the other side sends no more. By the engine, on the thread that reads, which reads no more.</summary>
    private protected void EndByPeer()
    {
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

    /// <summary>Tells the receiver the end, once. By the engine, on the thread that reads, of a connection that reads no more.</summary>
    private protected void EndReading()
    {
        Interlocked.Exchange(ref _readingOver, 1);
        NotifyClosedOnce();
    }

    private void NotifyClosedOnce()
    {
        if (Receiver is { } receiver && Interlocked.Exchange(ref _isClosedNotified, 1) == 0) NotifyClosed(receiver);
    }

    // What ended the sending of the rest is not why the connection ended.
    private void NotifyClosed(IReceiver receiver)
    {
        if (_peerEnded) receiver.Closed(CloseReason.ByPeer, null);
        else receiver.Closed(_ending!.Reason, _ending.Error);
    }

    private sealed record Ending(CloseReason Reason, Exception? Error, bool Lingers);
}
