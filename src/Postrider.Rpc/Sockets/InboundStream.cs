using System.Buffers;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Postrider.Rpc.Sockets;

/// <summary>The received items of a stream, buffered until their reader consumes them. Consumed bytes are credited to the
/// sender.</summary>
/// <typeparam name="T">The item.</typeparam>
internal sealed class InboundStream<T>(RpcFormatter<T> formatter, int windowBytes, int maxMessageBytes, Action<int> credit, ByteBudget? budget = null)
{
    // The memory of the smallest item besides its bytes: an object, and its queue entry.
    private const int ItemBytes = 64;

    // Far below zero: later additions or subtractions keep it negative.
    private const long Released = long.MinValue / 2;

    private readonly Channel<(T Item, int Bytes)> _items = Channel.CreateUnbounded<(T, int)>(new() { SingleReader = true, SingleWriter = false });
    private long _ahead;
    private long _held;
    private int _taken;

    /// <summary>Adds a received item.</summary>
    /// <exception cref="RpcException">The item cannot be read, or the sender did not wait for credit.</exception>
    public void Add(in ReadOnlySequence<byte> body)
    {
        var bytes = (int)body.Length;
        if (Interlocked.Read(ref _ahead) > windowBytes + (long)maxMessageBytes)
            throw new RpcException(RpcStatus.ProtocolError, $"The peer sent {Interlocked.Read(ref _ahead)} bytes of items, which exceeds the window of {windowBytes}.");
        if (budget is not null && !TryHold(bytes))
            throw new RpcException(RpcStatus.Busy, "The messages of pending calls exceed the connection's limit.");
        var item = formatter.Read(body);
        Interlocked.Add(ref _ahead, Cost(bytes));
        _items.Writer.TryWrite((item, bytes));
    }

    /// <summary>Releases the budget of unread items when the call has ended.</summary>
    public void Release()
    {
        if (Interlocked.Exchange(ref _held, Released) is > 0 and var held)
            budget?.Release(held);
    }

    /// <summary>Completes the stream.</summary>
    /// <param name="failure">Thrown to the reader after the items; null for the end.</param>
    public void Complete(Exception? failure = null) => _items.Writer.TryComplete(failure);

    /// <summary>The items, for one reader.</summary>
    public async IAsyncEnumerable<T> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        while (await _items.Reader.WaitToReadAsync(ct).ConfigureAwait(false))
        {
            while (_items.Reader.TryRead(out var next))
            {
                Credit(next.Bytes);
                yield return next.Item;
            }
        }
    }

    /// <summary>The window cost of an item. An empty item costs memory, too.</summary>
    internal static int Cost(int bytes) => bytes + 16;

    private bool TryHold(int bytes)
    {
        var held = bytes + ItemBytes;
        if (!budget!.TryAcquire(held))
            return false;
        if (Interlocked.Add(ref _held, held) < 0)
            budget.Release(held);
        return true;
    }

    private void Credit(int bytes)
    {
        if (budget is not null && Interlocked.Add(ref _held, -(bytes + ItemBytes)) >= 0)
            budget.Release(bytes + ItemBytes);
        var cost = Cost(bytes);
        Interlocked.Add(ref _ahead, -cost);
        _taken += cost;
        if (_taken < windowBytes / 2)
            return;
        credit(_taken);
        _taken = 0;
    }
}
