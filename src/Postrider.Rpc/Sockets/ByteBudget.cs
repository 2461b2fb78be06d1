namespace Postrider.Rpc.Sockets;

/// <summary>Limits the bytes of messages held by one connection.</summary>
/// <param name="max">The limit, in bytes. One message that is larger by itself is let through when nothing else is held.</param>
/// <remarks>Thread-safe.</remarks>
internal sealed class ByteBudget(long max)
{
    private long _held;

    /// <summary>The number of held bytes.</summary>
    public long HeldBytes => Interlocked.Read(ref _held);

    /// <summary>Acquires bytes.</summary>
    /// <returns>False if the limit would be exceeded; nothing is acquired then.</returns>
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

    /// <summary>Releases acquired bytes.</summary>
    public void Release(long bytes)
    {
        if (bytes != 0)
            Interlocked.Add(ref _held, -bytes);
    }
}
