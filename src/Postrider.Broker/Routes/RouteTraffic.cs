using Postrider.Broker.Accounts;
using Postrider.Sockets;

namespace Postrider.Broker.Routes;

/// <summary>The messages of one account on one route.</summary>
/// <remarks>Counted by the threads that handle and send messages, without a lock; read by any thread.</remarks>
internal sealed class RouteTraffic
{
    // By the batches' indexes. Replaced as a whole when another batch sends its first message.
    private Sum?[] _sent = [];
    private long _inMessages;
    private long _inBytes;

    /// <summary>Counts a received message. Called by the thread that handles the route's frames.</summary>
    /// <param name="bytes">Its header and payload bytes.</param>
    public void CountReceived(int bytes)
    {
        Volatile.Write(ref _inMessages, _inMessages + 1);
        Volatile.Write(ref _inBytes, _inBytes + bytes);
    }

    /// <summary>Counts a sent message.</summary>
    /// <param name="bytes">Its header and payload bytes.</param>
    /// <param name="batch">The caller's batch: each has its own sum.</param>
    public void CountSent(int bytes, SendBatch batch)
    {
        var sums = Volatile.Read(ref _sent);
        var sum = (uint)batch.Index < (uint)sums.Length && sums[batch.Index] is { } known ? known : AddSum(batch.Index);
        sum.Messages++;
        sum.Bytes += bytes;
    }

    /// <summary>The sums now.</summary>
    public AccountCounters Read()
    {
        long messages = 0, bytes = 0;
        foreach (var sum in Volatile.Read(ref _sent))
        {
            messages += sum?.Messages ?? 0;
            bytes += sum?.Bytes ?? 0;
        }
        return new AccountCounters(Volatile.Read(ref _inMessages), Volatile.Read(ref _inBytes), messages, bytes, 0);
    }

    private Sum AddSum(int index)
    {
        var sum = new Sum();
        Sum?[] before, after;
        do
        {
            before = Volatile.Read(ref _sent);
            after = new Sum?[Math.Max(before.Length, index + 1)];
            before.CopyTo(after, 0);
            after[index] = sum;
        }
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _sent, after, before), before));
        return sum;
    }

    private sealed class Sum
    {
        public long Messages { get; set; }

        public long Bytes { get; set; }
    }
}
