using System.Runtime.InteropServices;
using Postrider.Load.Native;
using Postrider.Load.Rows;

namespace Postrider.Load.Traffic;

/// <summary>What is under way between the publishing and the subscribing thread of one run, and the limit on it.</summary>
/// <remarks>One thread publishes (<see cref="Sent"/>), one receives (<see cref="Received"/>). The publisher that finds no
/// room sleeps in its poller; the receiver rings once a quarter of the window is free again, so that a full
/// window costs a wake-up per two MiB and not one per chunk.</remarks>
internal sealed class FlowWindow(StreamRow row, int deliveredBytes, Doorbell bell) : IFlowWindow
{
    private readonly Count[] _sent = new Count[row.Publishers];
    private readonly Count[] _received = new Count[Math.Max(1, row.Subscribers)];
    private int _waiting;

    /// <summary>Messages published by all.</summary>
    public long Published
    {
        get
        {
            var total = 0L;
            foreach (ref var count in _sent.AsSpan())
                total += Volatile.Read(ref count.Value);
            return total;
        }
    }

    /// <summary>Delivered frame bytes, all subscribers.</summary>
    public long ReceivedBytes
    {
        get
        {
            var total = 0L;
            foreach (ref var count in _received.AsSpan())
                total += Volatile.Read(ref count.Value);
            return total;
        }
    }

    public void Sent(int publisher, int frames)
        => Volatile.Write(ref _sent[publisher].Value, _sent[publisher].Value + frames);

    public void Received(int subscriber, long totalBytes)
        => Volatile.Write(ref _received[subscriber].Value, totalBytes);

    /// <summary>Bytes that subscriber <paramref name="subscriber"/> gets from what has been published.</summary>
    public long ExpectedBytes(int subscriber) => deliveredBytes * row.Feed switch
    {
        Feed.Own => Volatile.Read(ref _sent[subscriber].Value),
        Feed.All => Published,
        _ => throw new InvalidOperationException("A queue group's share is the server's choice."),
    };

    public int PollMilliseconds => 20;

    public bool HasRoom(int publisher) => !Exceeds(publisher, row.WindowBytes ?? long.MaxValue);

    /// <summary>Announces that the publishing thread is about to sleep until there is room.</summary>
    public void Wait() => Interlocked.Exchange(ref _waiting, 1);

    public void StopWaiting() => Volatile.Write(ref _waiting, 0);

    /// <summary>Called by the receiving thread after it counted: wakes the publishing one if that waits and now may go on.</summary>
    public void RingIfRoom()
    {
        if (Volatile.Read(ref _waiting) == 0 || row.WindowBytes is not { } window)
            return;

        for (var publisher = 0; publisher < row.Publishers; publisher++)
        {
            if (!Exceeds(publisher, window - (window / 4)))
            {
                StopWaiting();
                bell.Ring();
                return;
            }
        }
    }

    private bool Exceeds(int publisher, long limit)
    {
        switch (row.Feed)
        {
            case Feed.None:
                return false;
            case Feed.Own:
                return (Volatile.Read(ref _sent[publisher].Value) * deliveredBytes)
                    - Volatile.Read(ref _received[publisher].Value) >= limit;
            case Feed.Shared:
                return (Published * deliveredBytes) - ReceivedBytes >= Multiply(limit, row.Subscribers);
            default:
                var expected = Published * deliveredBytes;
                foreach (ref var count in _received.AsSpan())
                {
                    if (expected - Volatile.Read(ref count.Value) >= limit)
                        return true;
                }

                return false;
        }
    }

    private static long Multiply(long limit, int subscribers)
        => limit > long.MaxValue / subscribers ? long.MaxValue : limit * subscribers;

    // One cache line each: two threads write them.
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    private struct Count
    {
        public long Value;
    }
}
