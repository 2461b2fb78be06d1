namespace Postrider.Rpc.Sockets;

/// <summary>How many bytes of messages one connection may hold at a time.</summary>
/// <param name="max">The limit, in bytes. One message that is larger by itself is let through when nothing else is held.</param>
/// <remarks>Thread-safe.</remarks>
internal sealed class ByteBudget(long max)
{
    private long _held;

    /// <summary>How many bytes are held at this moment.</summary>
    public long HeldBytes => Interlocked.Read(ref _held);

    /// <summary>Takes bytes.</summary>
    /// <returns>False when the limit would be exceeded; nothing is taken then.</returns>
    public bool TryAcquire(int bytes)
    {
        if (bytes == 0)
            return true;
        var taken = Interlocked.Add(ref _held, bytes);
        if (taken <= max || taken == bytes)
            return true;
        Interlocked.Add(ref _held, -bytes);
        return false;
    }

    /// <summary>Gives bytes back that were taken.</summary>
    public void Release(long bytes)
    {
        if (bytes != 0)
            Interlocked.Add(ref _held, -bytes);
    }
}
